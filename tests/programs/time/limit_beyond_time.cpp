// A limit that is so late that there is no such time is none.
// options: --timeouts explore
// expect: verified
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable changed;
bool ready;

int main() {
  std::thread setter([] {
    std::lock_guard lock(m);
    ready = true;
    changed.notify_one();
  });
  std::unique_lock lock(m);
  changed.wait_until(lock, std::chrono::steady_clock::time_point::max(), [] { return ready; });
  lock.unlock();
  setter.join();
}
