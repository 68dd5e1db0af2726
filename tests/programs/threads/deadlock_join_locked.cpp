// Main holds the mutex while it waits for the thread that needs it.
// expect: finding deadlock
#include <mutex>
#include <thread>

std::mutex m;

int main() {
  std::unique_lock lock(m, std::defer_lock);
  std::thread a([] { std::lock_guard inner(m); });
  lock.lock();
  a.join();
}
