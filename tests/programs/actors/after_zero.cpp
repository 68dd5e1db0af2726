// A receive that does not wait finds the message, or does not.
// cflags: -std=c++20
// expect: verified optimal=2 observers=2
#include <cassert>
#include <chrono>
#include <heddle/actors.hpp>

using namespace std::chrono_literals;

int main() {
  const heddle::process self = heddle::self();
  const heddle::process other = heddle::spawn([=] { heddle::send(self, 1); });
  bool none = false;
  heddle::receive(heddle::on<int>([](int k) { assert(k == 1); }), heddle::after(0s, [&] { none = true; }));
  if (none) assert(heddle::receive<int>() == 1);
  assert(!heddle::try_receive<int>());
  other.join();
}
