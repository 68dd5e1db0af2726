// An acquire that reads what was stored relaxed does not synchronise.
// expect: finding data-race
#include <atomic>
#include <thread>

long data = 0;
std::atomic<bool> ready = false;

int main() {
  std::thread a([] {
    data = 42;
    ready.store(true, std::memory_order_relaxed);
  });
  long seen = 42;
  if (ready.load(std::memory_order_acquire)) seen = data;
  a.join();
  return seen != 42;
}
