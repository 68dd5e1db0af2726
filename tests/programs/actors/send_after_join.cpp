// cflags: -std=c++20
// expect: finding message-misuse line here
#include <heddle/actors.hpp>

int main() {
  const heddle::process other = heddle::spawn([] {});
  other.join();
  heddle::send(other, 0);  // here
}
