// No message comes: the limit is reached.
// expect: verified
// cflags: -std=c++20
// expect: limit waits time out only when nothing else can happen
#include <cassert>
#include <chrono>
#include <heddle/actors.hpp>

using namespace std::chrono_literals;

int main() {
  const heddle::process self = heddle::self();
  const heddle::process other = heddle::spawn([=] {
    assert(!heddle::receive<int>(heddle::after(1s)));
    heddle::send(self, 1);
  });
  assert(!heddle::receive<char>(heddle::after(500ms)));
  assert(heddle::receive<int>(heddle::after(2s)) == 1);
  other.join();
}
