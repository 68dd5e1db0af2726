// A loop that spins until a time: the flag comes before that, as nothing takes so long.
// expect: verified
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

using Clock = std::chrono::steady_clock;

std::atomic<bool> flag;

bool spin_until(Clock::time_point limit) {
  while (!flag) {
    if (Clock::now() >= limit) return false;
    std::this_thread::yield();
  }
  return true;
}

int main() {
  std::thread setter([] { flag = true; });
  assert(spin_until(Clock::now() + std::chrono::seconds(2)));
  setter.join();
}
