// Three critical sections in any order, as in mutex_counter.c.
// expect: verified optimal=6 observers=6
#include <cassert>
#include <mutex>
#include <thread>

std::mutex m;
long x = 0;

void add() {
  std::lock_guard lock(m);
  x = x + 1;
}

int main() {
  std::thread a(add), b(add), c(add);
  a.join();
  b.join();
  c.join();
  assert(x == 3);
}
