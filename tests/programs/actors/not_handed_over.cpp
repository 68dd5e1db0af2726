// The sender writes to what it has handed over.
// cflags: -std=c++20
// expect: finding data-race
#include <heddle/actors.hpp>

static int shared;

int main() {
  const heddle::process self = heddle::self();
  const heddle::process other = heddle::spawn([=] {
    heddle::send(self, &shared);
    shared = 1;
  });
  *heddle::receive<int*>() = 2;
  other.join();
}
