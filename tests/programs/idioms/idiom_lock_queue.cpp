// The lock of Mellor-Crummey and Scott, with a guard that has the node of the queue.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

class QueueLock {
 public:
  class Guard {
   public:
    explicit Guard(QueueLock& lock) : lock_(lock) {
      Guard* before = lock_.tail_.exchange(this, std::memory_order_acq_rel);
      if (before == nullptr) return;
      waits_.store(true, std::memory_order_relaxed);
      before->next_.store(this, std::memory_order_release);
      while (waits_.load(std::memory_order_acquire)) __builtin_ia32_pause();
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    ~Guard() {
      Guard* next = next_.load(std::memory_order_acquire);
      if (next == nullptr) {
        Guard* self = this;
        if (lock_.tail_.compare_exchange_strong(self, nullptr, std::memory_order_release,
                                                std::memory_order_relaxed))
          return;
        while ((next = next_.load(std::memory_order_acquire)) == nullptr) __builtin_ia32_pause();
      }
#ifdef BROKEN
      next->waits_.store(false, std::memory_order_relaxed);
#else
      next->waits_.store(false, std::memory_order_release);
#endif
    }

   private:
    QueueLock& lock_;
    alignas(64) std::atomic<Guard*> next_{nullptr};
    std::atomic<bool> waits_{false};
  };

 private:
  std::atomic<Guard*> tail_{nullptr};
};

QueueLock lock;
int x = 0;

void add() {
  const QueueLock::Guard guard(lock);
  x = x + 1;
}

int main() {
  std::thread a(add), b(add);
  add();
  a.join();
  b.join();
  assert(x == 3);
}
