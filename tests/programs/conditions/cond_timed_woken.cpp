// A wait with a time limit does not time out as long as a thread can run and signal.
// expect: verified
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
  assert(c.wait_for(lock, std::chrono::hours(1), [] { return ready; }));
  lock.unlock();
  a.join();
}
