// Threads that wait with a limit, again and again, for what comes: each in its own way.
// expect: verified
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

std::timed_mutex held;
std::mutex m;
std::condition_variable changed;
bool done;

int main() {
  std::promise<void> promise;
  std::future<void> future = promise.get_future();
  held.lock();
  std::thread lock([] {
    while (!held.try_lock_for(1s)) {
    }
    held.unlock();
  });
  std::thread flag([&] {
    while (future.wait_for(10ms) != std::future_status::ready) {
    }
    std::unique_lock guard(m);
    while (!changed.wait_until(guard, std::chrono::steady_clock::now() + 5ms, [] { return done; }))
      ;
  });
  promise.set_value();
  held.unlock();
  {
    std::lock_guard guard(m);
    done = true;
  }
  lock.join();
  flag.join();
}
