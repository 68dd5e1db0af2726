// The flag never comes: the loop ends when its time has come.
// expect: finding assertion line here
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

using Clock = std::chrono::steady_clock;

std::atomic<bool> flag, other;

bool spin_until(Clock::time_point limit) {
  while (!flag) {
    if (Clock::now() >= limit) return false;
    std::this_thread::yield();
  }
  return true;
}

int main() {
  std::thread setter([] { other = true; });
  assert(spin_until(Clock::now() + std::chrono::hours(2)));  // here
  setter.join();
}
