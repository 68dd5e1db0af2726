// A signal comes before the wait for it, and is lost: two threads that poll with time limits of
// their own, with one lock, do not hide it.
// expect: finding deadlock
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

std::mutex m, other;
std::condition_variable changed, signalled;
bool done;

void poll(std::chrono::milliseconds time) {
  std::unique_lock lock(m);
  while (!done) changed.wait_for(lock, time);
}

int main() {
  std::thread slow(poll, 3s), fast(poll, 20ms);
  std::thread waiter([] {
    std::unique_lock lock(other);
    signalled.wait(lock);
  });
  signalled.notify_one();
  waiter.join();
  {
    std::lock_guard lock(m);
    done = true;
  }
  slow.join();
  fast.join();
}
