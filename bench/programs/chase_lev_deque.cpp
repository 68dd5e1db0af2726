// The deque of Chase and Lev (2005): its owner puts three tasks and takes what is left of them,
// and N thieves try to steal one each.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#ifndef N
#define N 2
#endif

constexpr long tasks = 3;
std::atomic<long> top = 0, bottom = 0, slots[tasks];
std::atomic<int> done[tasks + 1];  // of number 0: nothing was there

void push(long task) {
  const long b = bottom;
  slots[b % tasks] = task;
  bottom = b + 1;
}
long take() {
  const long b = bottom - 1;
  bottom = b;
  long t = top;
  if (t < b) return slots[b % tasks];
  long task = 0;
  if (t == b) {
    task = slots[b % tasks];
    if (!top.compare_exchange_strong(t, t + 1)) task = 0;
  }
  bottom = b + 1;
  return task;
}
long steal() {
  long t = top;
  if (t >= bottom) return 0;
  const long task = slots[t % tasks];
  return top.compare_exchange_strong(t, t + 1) ? task : 0;
}

int main() {
  for (long task = 1; task <= tasks; ++task) push(task);
  std::vector<std::thread> thieves;
  for (int i = 0; i < N; ++i)
    thieves.emplace_back([] {
      if (const long task = steal()) ++done[task];
    });
  while (const long task = take()) ++done[task];
  for (std::thread& t : thieves) t.join();
  for (long task = 1; task <= tasks; ++task) assert(done[task] == 1);
}
