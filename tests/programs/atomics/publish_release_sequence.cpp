// A relaxed read-modify-write continues the release sequence that it reads from.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

long data = 0;
std::atomic<int> state = 0;

int main() {
  std::thread a([] {
    data = 42;
    state.store(1, std::memory_order_release);
  });
  std::thread b([] { state.fetch_add(2, std::memory_order_relaxed); });
  if (state.load(std::memory_order_acquire) == 3) assert(data == 42);
  a.join();
  b.join();
}
