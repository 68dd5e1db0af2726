// Messages of different types, taken in a fixed order; one has a destructor.
// cflags: -std=c++20
// expect: verified optimal=6 observers=1
#include <cassert>
#include <heddle/actors.hpp>
#include <memory>
#include <string>

struct Name {
  std::string text;
};

int main() {
  const heddle::process self = heddle::self();
  const heddle::process a = heddle::spawn([=] { heddle::send(self, 42); });
  const heddle::process b =
      heddle::spawn([=] { heddle::send(self, Name{"a name that is too long for the object"}); });
  const heddle::process c = heddle::spawn([=] { heddle::send(self, std::make_unique<int>(7)); });
  assert(heddle::receive<Name>().text.size() == 38);
  assert(*heddle::receive<std::unique_ptr<int>>() == 7);
  assert(heddle::receive<int>() == 42);
  a.join();
  b.join();
  c.join();
}
