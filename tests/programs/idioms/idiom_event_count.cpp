// An event count: who finds nothing to do notes the number, looks again, and sleeps only if the
// number is the same; a thread that gives work raises it, and wakes if any may sleep.
// expect: verified
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <climits>
#include <cstdint>
#include <thread>

class EventCount {
 public:
  std::uint32_t prepare() {
    waiters_.fetch_add(1, std::memory_order_seq_cst);
    return epoch_.load(std::memory_order_acquire);
  }
  void cancel() { waiters_.fetch_sub(1, std::memory_order_seq_cst); }
  void wait(std::uint32_t key) {
    while (epoch_.load(std::memory_order_acquire) == key)
      syscall(SYS_futex, &epoch_, FUTEX_WAIT_PRIVATE, key, nullptr);
    waiters_.fetch_sub(1, std::memory_order_seq_cst);
  }
  void notify() {
    epoch_.fetch_add(1, std::memory_order_acq_rel);
    if (waiters_.load(std::memory_order_seq_cst) != 0)
      syscall(SYS_futex, &epoch_, FUTEX_WAKE_PRIVATE, INT_MAX);
  }

 private:
  std::atomic<std::uint32_t> epoch_{0}, waiters_{0};
};

EventCount event;
std::atomic<int> items{0};

bool take() {
  int seen = items.load(std::memory_order_acquire);
  while (seen > 0)
    if (items.compare_exchange_weak(seen, seen - 1, std::memory_order_acq_rel)) return true;
  return false;
}
void consume() {
  for (int spins = 0; spins < 3; ++spins)
    if (take()) return;
  for (;;) {
    const auto key = event.prepare();
#ifndef BROKEN
    if (take()) {
      event.cancel();
      return;
    }
#endif
    event.wait(key);
    if (take()) return;
  }
}

int main() {
  std::thread a(consume);
  items.fetch_add(1, std::memory_order_release);
  event.notify();
  a.join();
  assert(items == 0);
}
