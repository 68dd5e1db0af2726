// Double-checked locking with a relaxed flag: who finds it set need not see what was written
// before. double-checked-fixed.cpp publishes and looks with release and acquire.
// expect: finding data-race line 21
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
std::atomic<bool> ready;
int value;

int get() {
  if (!ready.load(std::memory_order_relaxed)) {
    std::lock_guard lock(mutex);
    if (!ready.load(std::memory_order_relaxed)) {
      value = 42;
      ready.store(true, std::memory_order_relaxed);
    }
  }
  return value;
}

int main() {
  std::thread other([] { assert(get() == 42); });
  assert(get() == 42);
  other.join();
}
