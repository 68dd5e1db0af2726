// What a message points to belongs to its receiver.
// cflags: -std=c++20
// expect: verified optimal=1 observers=1
#include <cassert>
#include <heddle/actors.hpp>

static int shared;

int main() {
  const heddle::process self = heddle::self();
  const heddle::process other = heddle::spawn([=] {
    shared = 1;
    heddle::send(self, &shared);
  });
  int* mine = heddle::receive<int*>();
  assert(*mine == 1);
  *mine = 2;
  other.join();
}
