// A word is written by one thread, and the third of its bytes read by another.
// expect: finding data-race
#include <thread>

union {
  unsigned word;
  unsigned char bytes[4];
} both;

int main() {
  std::thread a([] { both.word = 7; });
  const int seen = both.bytes[2];
  a.join();
  return seen;
}
