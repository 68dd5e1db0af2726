// cflags: -std=c++20
// expect: finding message-misuse line here
#include <heddle/actors.hpp>

int main() {
  const heddle::process other = heddle::spawn([] {});
  heddle::monitor(other);
  heddle::receive<heddle::down>();
  heddle::send(other, 0);  // here
}
