// A predicate must only look. This one looks at what others may change.
// cflags: -std=c++20
// expect: finding message-misuse
#include <atomic>
#include <heddle/actors.hpp>

static std::atomic<int> bound = 1;

int main() {
  const heddle::process self = heddle::self();
  heddle::spawn([=] { heddle::send(self, 0); });
  heddle::receive<int>([](int k) { return k < bound; });
}
