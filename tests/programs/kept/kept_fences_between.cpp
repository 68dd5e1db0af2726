// What fences have collected, a run that begins behind them has too: between the fence and what it is
// for, each thread looks at what a third one changes.
// expect: verified
#include <atomic>
#include <thread>

std::atomic<int> flag, changed, noise;
int data, seen;

int main() {
  std::thread writer([] {
    data = 1;
    std::atomic_thread_fence(std::memory_order_release);
    changed.load(std::memory_order_relaxed);
    flag.store(1, std::memory_order_relaxed);
  });
  std::thread reader([] {
    if (flag.load(std::memory_order_relaxed) == 0) return;
    changed.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    seen = data;
  });
  std::thread third([] { changed.store(1, std::memory_order_relaxed); });
  // So that there are many runs, and each is known when the one before it is made.
  std::thread others[3];
  for (std::thread& t : others) t = std::thread([] { noise.fetch_add(1); });
  writer.join();
  reader.join();
  third.join();
  for (std::thread& t : others) t.join();
}
