// An event that stays set until it is reset, made of a mutex and a condition variable.
// expect: verified
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

class ManualEvent {
 public:
  void set() {
#ifndef BROKEN
    std::lock_guard guard(mutex_);
#endif
    set_ = true;
    changed_.notify_all();
  }
  void reset() {
    std::lock_guard guard(mutex_);
    set_ = false;
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return set_.load(std::memory_order_acquire); });
  }
  template <typename Rep, typename Period>
  bool wait_for(std::chrono::duration<Rep, Period> patience) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, patience,
                             [this] { return set_.load(std::memory_order_acquire); });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> set_{false};
};

ManualEvent started, done;
int result = 0;

int main() {
  std::thread a([] {
    started.wait();
    result = 42;
    done.set();
  });
  std::thread b([] { started.wait(); });
  started.set();
  done.wait();
  assert(result == 42);
  a.join();
  b.join();
  started.reset();
  assert(!started.wait_for(std::chrono::milliseconds(1)));
}
