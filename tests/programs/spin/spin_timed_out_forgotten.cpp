// If the signal is forgotten, the limit is reached, and the loop continues with what comes of it.
// expect: finding assertion line here
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool told;
std::atomic<int> outcome;

int main() {
  std::thread patient([] {
    std::unique_lock lock(mutex);
    bool in_time = told;
    if (!in_time)
      in_time = changed.wait_for(lock, std::chrono::milliseconds(10)) == std::cv_status::no_timeout;
    outcome = in_time ? 1 : 2;
  });
  std::thread teller([] {
    std::lock_guard lock(mutex);
    told = true;
  });
  while (outcome == 0) std::this_thread::yield();
  assert(outcome == 1);  // here
  patient.join();
  teller.join();
}
