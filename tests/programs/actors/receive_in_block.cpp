// cflags: -std=c++20
// expect: misuse receiving a message inside an atomic block
#include <heddle/actors.hpp>
#include <heddle/heddle.h>

int main() {
  const heddle::process self = heddle::self();
  heddle::spawn([=] { heddle::send(self, 0); });
  heddle_atomic_begin();
  heddle::receive<int>();
  heddle_atomic_end();
}
