// A compare-exchange that fails has the order that is given for failure: here, none.
// expect: finding data-race
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
  if (!ready.compare_exchange_strong(expected, false, std::memory_order_acq_rel,
                                     std::memory_order_relaxed))
    seen = data;
  a.join();
  return seen != 42;
}
