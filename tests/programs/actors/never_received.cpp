// The process may have ended when the message comes, or may not: no thread receives it.
// expect: verified
// cflags: -std=c++20
// expect: warning a message is never received
#include <heddle/actors.hpp>

int main() {
  const heddle::process other = heddle::spawn([] {});
  heddle::send(other, 0);
  other.join();
}
