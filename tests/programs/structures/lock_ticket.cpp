// A ticket lock: served in the order of the tickets.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> next = 0, serving = 0;

long x = 0;

void add() {
  const int mine = next.fetch_add(1, std::memory_order_relaxed);
  while (serving.load(std::memory_order_acquire) != mine) {
  }
  x = x + 1;
  serving.store(mine + 1, std::memory_order_release);
}

int main() {
  std::thread a(add), b(add);
  a.join();
  b.join();
  assert(x == 2);
}
