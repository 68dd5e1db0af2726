// double-checked.cpp, with release where the flag is set and acquire where it is looked at without
// the mutex.
// expect: verified
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
std::atomic<bool> ready;
int value;

int get() {
  if (!ready.load(std::memory_order_acquire)) {
    std::lock_guard lock(mutex);
    if (!ready.load(std::memory_order_relaxed)) {
      value = 42;
      ready.store(true, std::memory_order_release);
    }
  }
  return value;
}

int main() {
  std::thread other([] { assert(get() == 42); });
  assert(get() == 42);
  other.join();
}
