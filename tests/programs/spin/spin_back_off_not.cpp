// expect: verified optimal=6
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> locked{0};
int counter;

void lock() {
  for (;;) {
    int expected = 0;
    if (locked.compare_exchange_weak(expected, 1, std::memory_order_acquire)) return;
  }
}

void work() {
  lock();
  ++counter;
  locked.store(0, std::memory_order_release);
}

int main() {
  std::thread a(work), b(work);
  work();
  a.join();
  b.join();
  assert(counter == 3);
}
