// A lock that is only looked at while it is held.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> held = false;

long x = 0;

void add() {
  while (held.exchange(true, std::memory_order_acquire))
    while (held.load(std::memory_order_relaxed)) std::this_thread::yield();
  x = x + 1;
  held.store(false, std::memory_order_release);
}

int main() {
  std::thread a(add), b(add);
  a.join();
  b.join();
  assert(x == 2);
}
