// A lock that serves in turn; a waiting thread backs off by how many are in front of it.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

class TicketLock {
 public:
  void lock() {
    const unsigned mine = next_.fetch_add(1, std::memory_order_relaxed);
    for (;;) {
      const unsigned now = serving_.load(std::memory_order_acquire);
      if (now == mine) return;
      for (unsigned i = 0; i < 4 * (mine - now); ++i) __builtin_ia32_pause();
    }
  }
  void unlock() {
#ifdef BROKEN
    serving_.fetch_add(1, std::memory_order_relaxed);
#else
    serving_.store(serving_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
#endif
  }

 private:
  std::atomic<unsigned> next_{0}, serving_{0};
};

TicketLock lock;
int x = 0;

void add() {
  lock.lock();
  x = x + 1;
  lock.unlock();
}

int main() {
  std::thread a(add), b(add);
  add();
  a.join();
  b.join();
  assert(x == 3);
}
