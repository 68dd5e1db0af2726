// A scoped_lock takes both mutexes without waiting for one while it holds the other.
// expect: verified
#include <cassert>
#include <mutex>
#include <thread>

std::mutex m, n;
long x = 0, y = 0;

int main() {
  std::thread a([] {
    std::scoped_lock both(m, n);
    x = x + 10;
    y = y + 10;
  });
  {
    std::lock_guard lock(m);
    x = x + 1;
  }
  {
    std::lock_guard lock(n);
    y = y + 1;
  }
  a.join();
  assert(x == 11 && y == 11);
}
