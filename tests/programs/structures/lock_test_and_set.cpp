// A lock of a flag that is set until it was clear.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

std::atomic_flag held;

long x = 0;

void add() {
  while (held.test_and_set(std::memory_order_acquire)) {
  }
  x = x + 1;
  held.clear(std::memory_order_release);
}

int main() {
  std::thread a(add), b(add);
  a.join();
  b.join();
  assert(x == 2);
}
