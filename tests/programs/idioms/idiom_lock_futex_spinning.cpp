// A mutex of three states, which spins for a while before it sleeps.
// expect: verified
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstdint>
#include <mutex>
#include <thread>

class Mutex {
 public:
  void lock() {
    std::uint32_t seen = unlocked;
    if (state_.compare_exchange_strong(seen, locked, std::memory_order_acquire,
                                       std::memory_order_relaxed))
      return;
    lock_contended();
  }
  void unlock() {
    if (state_.exchange(unlocked, std::memory_order_release) == contended)
      syscall(SYS_futex, &state_, FUTEX_WAKE_PRIVATE, 1);
  }

 private:
  static constexpr std::uint32_t unlocked = 0, locked = 1, contended = 2;
  std::uint32_t spin() {
    for (int rounds = 100;; --rounds) {
      const std::uint32_t state = state_.load(std::memory_order_relaxed);
      if (state != locked || rounds == 0) return state;
      __builtin_ia32_pause();
    }
  }
  void lock_contended() {
    std::uint32_t state = spin();
    if (state == unlocked &&
        state_.compare_exchange_strong(state, locked, std::memory_order_acquire,
                                       std::memory_order_relaxed))
      return;
    for (;;) {
#ifdef BROKEN
      if (state == unlocked &&
          state_.compare_exchange_strong(state, locked, std::memory_order_acquire,
                                         std::memory_order_relaxed))
        return;
      if (state == locked)
        state_.compare_exchange_strong(state, contended, std::memory_order_relaxed);
#else
      if (state != contended && state_.exchange(contended, std::memory_order_acquire) == unlocked)
        return;
#endif
      syscall(SYS_futex, &state_, FUTEX_WAIT_PRIVATE, contended, nullptr);
      state = spin();
    }
  }
  std::atomic<std::uint32_t> state_{unlocked};
};

Mutex mutex;
int x = 0;

void add() {
  std::lock_guard guard(mutex);
  x = x + 1;
}

int main() {
  std::thread a(add), b(add);
  add();
  a.join();
  b.join();
  assert(x == 3);
}
