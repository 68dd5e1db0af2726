// A relaxed store of another thread ends the release sequence: its reader sees no release.
// expect: finding data-race
#include <atomic>
#include <thread>

long data = 0;
std::atomic<int> state = 0;

int main() {
  std::thread a([] {
    data = 42;
    state.store(1, std::memory_order_release);
  });
  std::thread b([] {
    if (state.load(std::memory_order_relaxed) == 1) state.store(2, std::memory_order_relaxed);
  });
  long seen = 42;
  if (state.load(std::memory_order_acquire) == 2) seen = data;
  a.join();
  b.join();
  return seen != 42;
}
