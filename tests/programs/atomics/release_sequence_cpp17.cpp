// expect: verified
// cflags: -std=gnu++17
// Up to C++17, a relaxed store of the same thread continues the release sequence.
#include <atomic>
#include <thread>

int x;
std::atomic<int> y;

int main() {
  std::thread a([] {
    x = 1;
    y.store(1, std::memory_order_release);
    y.store(2, std::memory_order_relaxed);
  });
  std::thread b([] {
    if (y.load(std::memory_order_acquire) == 2) x = 2;
  });
  a.join();
  b.join();
}
