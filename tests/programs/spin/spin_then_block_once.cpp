// The same as spin_then_block.cpp with one round: as many runs.
// expect: verified optimal=15
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

std::atomic<int> flag{0};
std::mutex m;
std::condition_variable cv;

void wait() {
  for (int i = 0; i < 1; i++)
    if (flag) return;
  std::unique_lock l(m);
  cv.wait(l, [] { return flag != 0; });
}

int main() {
  std::thread a(wait), b(wait);
  {
    std::lock_guard l(m);
    flag = 1;
  }
  cv.notify_all();
  a.join();
  b.join();
}
