// Which of two messages that the predicate accepts comes first is explored.
// cflags: -std=c++20
// expect: finding assertion line here
#include <cassert>
#include <heddle/actors.hpp>

int main() {
  const heddle::process self = heddle::self();
  for (int k = 0; k < 3; ++k) heddle::spawn([=] { heddle::send(self, k); });
  const int odd = heddle::receive<int>([](int k) { return k % 2 == 0; });
  assert(odd == 0);  // here
  heddle::receive<int>();
  heddle::receive<int>();
}
