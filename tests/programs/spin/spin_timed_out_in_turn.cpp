// Two threads wait for a flag, one in a loop and one with a limit, a third in a loop for both. A
// limit is not reached while a thread in its loop could continue.
// expect: verified
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool told = false;
std::atomic<int> outcome{0}, seen{0};

int main() {
  std::thread patient([] {
    std::unique_lock lock(mutex);
    const bool in_time = changed.wait_for(lock, std::chrono::seconds(1), [] { return told; });
    outcome = in_time ? 1 : 2;
  });
  std::thread poller([] {
    while (outcome == 0) std::this_thread::yield();
    seen = outcome.load();
  });
  {
    std::lock_guard lock(mutex);
    told = true;
  }
  changed.notify_one();
  while (seen == 0) std::this_thread::yield();
  assert(seen == 1);
  patient.join();
  poller.join();
}
