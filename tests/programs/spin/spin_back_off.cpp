// A spin lock that backs off longer and longer, with three threads: the delay does not matter.
// expect: verified optimal=6
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> locked{0};
int counter;

void lock() {
  int delay = 1;
  for (;;) {
    int expected = 0;
    if (locked.compare_exchange_weak(expected, 1, std::memory_order_acquire)) return;
    for (int i = 0; i < delay; ++i) __builtin_ia32_pause();
    delay = delay < 1024 ? delay * 2 : 1024;
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
