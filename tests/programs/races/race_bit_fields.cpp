// Bit-fields side by side are one memory location.
// expect: finding data-race
#include <thread>

struct {
  int a : 4, b : 4;
} flags;
long seen = 0;

int main() {
  std::thread a([] { flags.a = 1; });
  seen = flags.b;
  a.join();
}
