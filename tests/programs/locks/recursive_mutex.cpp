// The outer lock is held until the outer unlock.
// expect: verified optimal=2 observers=2
#include <cassert>
#include <mutex>
#include <thread>

std::recursive_mutex m;
long x;

void add() {
  std::lock_guard outer(m);
  std::lock_guard inner(m);
  x = x + 1;
}

int main() {
  std::thread a(add), b(add);
  a.join();
  b.join();
  assert(x == 2);
}
