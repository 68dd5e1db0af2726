// A lock that is released relaxed excludes, but does not order.
// expect: finding data-race line here
#include <atomic>
#include <cassert>
#include <thread>

std::atomic_flag held;

long x = 0;

void add() {
  while (held.test_and_set(std::memory_order_acquire)) {
  }
  x = x + 1;  // here
  held.clear(std::memory_order_relaxed);
}

int main() {
  std::thread a(add), b(add);
  a.join();
  b.join();
  assert(x == 2);
}
