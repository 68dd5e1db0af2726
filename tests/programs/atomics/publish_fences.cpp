// Relaxed accesses between a release fence and an acquire fence publish.
// expect: verified
#include <atomic>
#include <thread>

long data = 0;
std::atomic<bool> ready = false;

int main() {
  std::thread a([] {
    data = 42;
    std::atomic_thread_fence(std::memory_order_release);
    ready.store(true, std::memory_order_relaxed);
  });
  long seen = 42;
  if (ready.load(std::memory_order_relaxed)) {
    std::atomic_thread_fence(std::memory_order_acquire);
    seen = data;
  }
  a.join();
  return seen != 42;
}
