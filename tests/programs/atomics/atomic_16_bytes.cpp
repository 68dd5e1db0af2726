// An atomic of 16 bytes: it changes as a whole, as seen from outside.
// cflags: -mcx16 -latomic
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

struct alignas(16) Pair {
  long a, b;
};
std::atomic<Pair> x(Pair{1, -1});

void step() {
  Pair old = x.load();
  while (!x.compare_exchange_strong(old, Pair{old.a + 1, old.b - 1})) {
  }
}

int main() {
  std::thread a(step), b([] {
    const Pair seen = x;
    assert(seen.a == -seen.b);
  });
  step();
  a.join();
  b.join();
  assert(x.load().a == 3);
}
