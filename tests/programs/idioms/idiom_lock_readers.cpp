// A spin lock for readers and writers in one word: a bit for the writer, and a count of readers.
// expect: verified
#include <atomic>
#include <cassert>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <thread>

class ReadersLock {
 public:
  void lock() {
    for (unsigned rounds = 0; !try_lock(); ++rounds)
      if (rounds > 100) std::this_thread::yield();
  }
  bool try_lock() {
    std::uint32_t none = 0;
    return bits_.compare_exchange_strong(none, writer, std::memory_order_acq_rel,
                                         std::memory_order_relaxed);
  }
  void unlock() { bits_.fetch_and(~writer, std::memory_order_release); }
  void lock_shared() {
    for (unsigned rounds = 0; !try_lock_shared(); ++rounds)
      if (rounds > 100) std::this_thread::yield();
  }
  bool try_lock_shared() {
    if ((bits_.load(std::memory_order_acquire) & writer) != 0) return false;
#ifdef BROKEN
    bits_.fetch_add(reader, std::memory_order_acquire);
    return true;
#else
    if ((bits_.fetch_add(reader, std::memory_order_acquire) & writer) == 0) return true;
    bits_.fetch_sub(reader, std::memory_order_release);
    return false;
#endif
  }
  void unlock_shared() { bits_.fetch_sub(reader, std::memory_order_release); }

 private:
  static constexpr std::uint32_t writer = 1, reader = 2;
  std::atomic<std::uint32_t> bits_{0};
};

ReadersLock lock;
int x = 0, y = 0;

void change() {
  std::lock_guard guard(lock);
  ++x;
  ++y;
}
void look() {
  std::shared_lock guard(lock);
  assert(x == y);
}

int main() {
  std::thread a(change), b(look);
  look();
  a.join();
  b.join();
  assert(x == 1);
}
