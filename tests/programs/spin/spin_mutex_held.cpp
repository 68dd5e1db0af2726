// A thread spins for what another would do, had it the mutex that the first one holds.
// expect: finding livelock
#include <atomic>
#include <mutex>
#include <thread>

std::mutex m;
std::atomic<bool> ready = false;

int main() {
  std::thread a([] {
    std::lock_guard lock(m);
    ready = true;
  });
  {
    std::lock_guard lock(m);
    while (!ready) std::this_thread::yield();
  }
  a.join();
}
