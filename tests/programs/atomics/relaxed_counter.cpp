// Relaxed additions are additions: none is lost, and the join orders the last read.
// expect: verified optimal=6 observers=6
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<long> x = 0;

void add() { x.fetch_add(1, std::memory_order_relaxed); }

int main() {
  std::thread a(add), b(add), c(add);
  a.join();
  b.join();
  c.join();
  assert(x.load(std::memory_order_relaxed) == 3);
}
