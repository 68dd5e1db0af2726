// A predicate must only look. This one throws.
// cflags: -std=c++20
// expect: finding message-misuse
#include <heddle/actors.hpp>

int main() {
  const heddle::process self = heddle::self();
  heddle::spawn([=] { heddle::send(self, 0); });
  heddle::receive<int>([](int k) { return k == 0 ? throw 1 : true; });
}
