// A lock that looks before it takes, and backs off for longer each time it has failed, up to a
// limit.
// expect: verified
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class Spinlock {
 public:
  void lock() {
    unsigned delay = 1;
    for (;;) {
      while (held_.load(std::memory_order_relaxed)) {
        for (unsigned i = 0; i < delay; ++i) __builtin_ia32_pause();
        if (delay < 64)
          delay *= 2;
        else
          std::this_thread::yield();
      }
#ifdef BROKEN
      held_.store(true, std::memory_order_release);
      return;
#else
      if (!held_.exchange(true, std::memory_order_acquire)) return;
#endif
    }
  }
  bool try_lock() {
    return !held_.load(std::memory_order_relaxed) &&
           !held_.exchange(true, std::memory_order_acquire);
  }
  void unlock() { held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> held_{false};
};

Spinlock lock;
int x = 0;

void add() {
  std::lock_guard guard(lock);
  x = x + 1;
}

int main() {
  std::thread a(add), b(add);
  if (std::unique_lock held(lock, std::try_to_lock); held) x = x + 1;
  a.join();
  b.join();
  assert(x == 2 || x == 3);
}
