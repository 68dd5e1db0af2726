// Two locks are taken in opposite order only by a thread that comes late.
// expect: finding deadlock
#include <atomic>
#include <mutex>
#include <thread>

std::mutex m, n;
std::atomic<bool> late = false;

int main() {
  std::thread a([] {
    if (late) {
      std::lock_guard second(n);
      std::lock_guard first(m);
    } else {
      std::lock_guard first(m);
      std::lock_guard second(n);
    }
  });
  late = true;
  {
    std::lock_guard first(m);
    std::lock_guard second(n);
  }
  a.join();
}
