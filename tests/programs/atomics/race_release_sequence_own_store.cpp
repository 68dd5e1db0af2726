// Since C++20, a relaxed store of the same thread ends the release sequence as well.
// expect: finding data-race
#include <atomic>
#include <thread>

long data = 0;
std::atomic<int> state = 0;

int main() {
  std::thread a([] {
    data = 42;
    state.store(1, std::memory_order_release);
    state.store(2, std::memory_order_relaxed);
  });
  long seen = 42;
  if (state.load(std::memory_order_acquire) == 2) seen = data;
  a.join();
  return seen != 42;
}
