// A lock of a compare-exchange, whose expectation is set anew in each round.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> owner = 0;

long x = 0;

void add(int self) {
  int nobody = 0;
  while (!owner.compare_exchange_weak(nobody, self + 1, std::memory_order_acquire,
                                      std::memory_order_relaxed))
    nobody = 0;
  x = x + 1;
  owner.store(0, std::memory_order_release);
}

int main() {
  std::thread a(add, 0), b(add, 1);
  a.join();
  b.join();
  assert(x == 2);
}
