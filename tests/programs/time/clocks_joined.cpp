// expect: verified
// What comes after something has no earlier time: after a join, a lock, an atomic access.
#include <atomic>
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

std::mutex mutex;
std::atomic<bool> flag;
Clock::time_point at, then;
bool told;

int main() {
  const auto start = Clock::now();
  std::thread t([] {
    std::this_thread::sleep_for(1s);
    {
      std::lock_guard lock(mutex);
      at = Clock::now();
      told = true;
    }
    then = Clock::now();
    flag.store(true, std::memory_order_release);
    std::this_thread::sleep_for(1s);
  });
  {
    std::lock_guard lock(mutex);
    if (told) assert(Clock::now() >= at);
  }
  if (flag.load(std::memory_order_acquire)) assert(Clock::now() >= then);
  t.join();
  assert(Clock::now() - start >= 2s);
}
