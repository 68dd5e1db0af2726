// A wait with a time limit may run into it, where time limits are explored.
// options: --timeouts=explore
// expect: finding assertion line here
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable c;
bool ready = false;

int main() {
  std::thread a([] {
    std::lock_guard lock(m);
    ready = true;
    c.notify_one();
  });
  std::unique_lock lock(m);
  bool in_time = true;
  if (!ready) in_time = c.wait_for(lock, std::chrono::seconds(1)) == std::cv_status::no_timeout;
  lock.unlock();
  a.join();
  assert(in_time);  // here
}
