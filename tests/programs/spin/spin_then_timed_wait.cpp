// Spins, then waits with a limit, which is reached: another thread waits in a loop for what follows.
// expect: verified
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable cv;
std::atomic<int> flag{0}, late{0};

int main() {
  std::thread other([] {
    while (!late) {
    }
    flag = 1;
  });
  bool seen = false;
  for (int i = 0; i < 1000; ++i)
    if (flag) {
      seen = true;
      break;
    }
  if (!seen) {
    std::unique_lock l(m);
    cv.wait_for(l, std::chrono::seconds(1));
    late = 1;
  }
  other.join();
}
