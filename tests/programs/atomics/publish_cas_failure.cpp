// A compare-exchange that fails reads with acquire if told so.
// expect: verified optimal=2 observers=2
#include <atomic>
#include <thread>

long data = 0;
std::atomic<bool> ready = false;

int main() {
  std::thread a([] {
    data = 42;
    ready.store(true, std::memory_order_release);
  });
  long seen = 42;
  bool expected = false;
  if (!ready.compare_exchange_strong(expected, false, std::memory_order_relaxed,
                                     std::memory_order_acquire))
    seen = data;
  a.join();
  return seen != 42;
}
