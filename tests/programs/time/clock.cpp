// A thread that sleeps, or waits in vain, finds that the time has passed; the clock never goes back.
// expect: verified
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

void work() {
  const auto start = Clock::now();
  std::this_thread::sleep_for(30ms);
  assert(Clock::now() - start >= 30ms);
  std::mutex m;
  std::condition_variable c;
  std::unique_lock lock(m);
  const auto before = Clock::now();
  assert(before - start >= 30ms && c.wait_for(lock, 1h) == std::cv_status::timeout);
  assert(Clock::now() - before >= 1h);
}

int main() {
  std::thread a(work);
  const auto start = std::chrono::system_clock::now();
  std::this_thread::sleep_until(start + 20ms);
  a.join();
  assert(std::chrono::system_clock::now() - start >= 20ms);
}
