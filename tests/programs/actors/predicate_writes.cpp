// A predicate must only look. This one changes something.
// cflags: -std=c++20
// expect: finding message-misuse
#include <heddle/actors.hpp>

static int asked;

int main() {
  const heddle::process self = heddle::self();
  heddle::spawn([=] { heddle::send(self, 0); });
  heddle::receive<int>([](int k) { return ++asked > k; });
}
