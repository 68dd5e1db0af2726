// What a release fence covers, and what an acquire fence is to take, stands while others run.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> flag[2], x;
int data[2];

void publish(int k) {
  data[k] = k + 1;
  std::atomic_thread_fence(std::memory_order_release);
  x.fetch_add(1, std::memory_order_relaxed);
  flag[k].store(1, std::memory_order_relaxed);
}

int main() {
  std::thread a(publish, 0), b(publish, 1);
  const int first = flag[0].load(std::memory_order_relaxed);
  x.fetch_add(1, std::memory_order_relaxed);
  const int second = flag[1].load(std::memory_order_relaxed);
  x.fetch_add(1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_acquire);
  if (first) assert(data[0] == 1);
  if (second) assert(data[1] == 2);
  a.join();
  b.join();
}
