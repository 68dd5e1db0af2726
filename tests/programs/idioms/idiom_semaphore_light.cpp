// A semaphore that counts in an atomic and asks the system only where a thread has to sleep; one that
// waits spins for a while first.
// expect: verified observers=68
#include <semaphore.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <thread>

class Semaphore {
 public:
  explicit Semaphore(int count = 0, int spins = 1000) : count_(count), spins_(spins) {
    sem_init(&sleepers_, 0, 0);
  }
  ~Semaphore() { sem_destroy(&sleepers_); }
  bool try_wait() {
    int seen = count_.load(std::memory_order_relaxed);
#ifdef BROKEN
    if (seen <= 0) return false;
    count_.fetch_sub(1, std::memory_order_acquire);
    return true;
#else
    while (seen > 0)
      if (count_.compare_exchange_weak(seen, seen - 1, std::memory_order_acquire,
                                       std::memory_order_relaxed))
        return true;
    return false;
#endif
  }
  void wait() {
    for (int spin = spins_; --spin >= 0;) {
      if (try_wait()) return;
      std::atomic_signal_fence(std::memory_order_acquire);
    }
    if (count_.fetch_sub(1, std::memory_order_acquire) > 0) return;
    while (sem_wait(&sleepers_) == -1 && errno == EINTR) {
    }
  }
  void signal(int count = 1) {
    const int before = count_.fetch_add(count, std::memory_order_release);
    int release = -before < count ? -before : count;
    for (; release > 0; --release) sem_post(&sleepers_);
  }

 private:
  std::atomic<int> count_;
  int spins_;
  sem_t sleepers_;
};

Semaphore items;
int written = 0;
std::atomic<int> inside{0};

void consume() {
  items.wait();
  assert(written == 7);
  assert(inside.fetch_add(1, std::memory_order_relaxed) < 1);
  inside.fetch_sub(1, std::memory_order_relaxed);
  items.signal();
}

int main() {
  std::thread a(consume), b(consume);
  written = 7;
  items.signal();
  a.join();
  b.join();
}
