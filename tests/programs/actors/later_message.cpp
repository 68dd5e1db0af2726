// A receive learns of its message alone, not of those that the same process has sent since.
// cflags: -std=c++20
// expect: finding data-race
#include <heddle/actors.hpp>

struct First {};
struct Second {};
static int shared;

int main() {
  const heddle::process self = heddle::self();
  const heddle::process other = heddle::spawn([=] {
    heddle::send(self, First{});
    shared = 1;
    heddle::send(self, Second{});
  });
  heddle::receive<First>();
  shared = 2;
  heddle::receive<Second>();
  other.join();
}
