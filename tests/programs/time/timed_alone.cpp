// No thread signals: the wait times out, and that is not a deadlock.
// expect: verified
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable c;

int main() {
  std::thread a([] { std::lock_guard lock(m); });
  std::unique_lock lock(m);
  assert(c.wait_for(lock, std::chrono::seconds(1)) == std::cv_status::timeout);
  lock.unlock();
  a.join();
}
