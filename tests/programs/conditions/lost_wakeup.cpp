// The flag is looked at before the mutex is taken: the signal can come between.
// expect: finding deadlock
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable c;
std::atomic<bool> ready;

int main() {
  std::thread waiter([] {
    if (!ready) {
      std::unique_lock lock(m);
      c.wait(lock);
    }
  });
  ready = true;
  c.notify_one();
  waiter.join();
}
