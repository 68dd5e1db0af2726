// A predicate must only look. This one allocates memory.
// cflags: -std=c++20
// expect: finding message-misuse
#include <heddle/actors.hpp>
#include <string>

int main() {
  const heddle::process self = heddle::self();
  heddle::spawn([=] { heddle::send(self, 0); });
  heddle::receive<int>([](int k) { return std::string(100, 'x').size() > static_cast<unsigned>(k); });
}
