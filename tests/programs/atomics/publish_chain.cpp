// From thread to thread to thread, through different variables.
// expect: verified
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

long data = 0;
std::atomic<bool> first = false;
std::mutex m;
bool second = false;

int main() {
  std::thread a([] {
    data = 1;
    first.store(true, std::memory_order_release);
  });
  std::thread b([] {
    if (!first.load(std::memory_order_acquire)) return;
    std::lock_guard lock(m);
    second = true;
  });
  bool seen = false;
  {
    std::lock_guard lock(m);
    seen = second;
  }
  if (seen) assert(data == 1);
  a.join();
  b.join();
}
