// It need not be there yet.
// cflags: -std=c++20
// expect: finding assertion line here
#include <cassert>
#include <heddle/actors.hpp>

int main() {
  const heddle::process self = heddle::self();
  heddle::spawn([=] { heddle::send(self, 1); });
  assert(heddle::try_receive<int>());  // here
}
