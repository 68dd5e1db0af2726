// Both wait for the other to begin.
// cflags: -std=c++20
// expect: finding deadlock
#include <heddle/actors.hpp>

struct Hello {};
struct Other {};

int main() {
  const heddle::process self = heddle::self();
  const heddle::process other = heddle::spawn([=] {
    heddle::send(self, Other{});
    heddle::receive<Hello>();
    heddle::send(self, Hello{});
  });
  heddle::receive<Hello>();
  heddle::send(other, Hello{});
}
