// A loop inside a loop, both at one place in the source: who leaves the inner one does not wait for
// ever.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

struct Lock {
  std::atomic<bool> locked{false};
  void lock() {
    for (;;) {
      bool expected = false;
      if (locked.compare_exchange_strong(expected, true)) return;
      while (locked.load())
        ;
    }
  }
  void unlock() { locked = false; }
};
Lock lock;
int n = 0;

void add() {
  lock.lock();
  ++n;
  lock.unlock();
}

int main() {
  std::thread a(add), b(add);
  a.join();
  b.join();
  assert(n == 2);
}
