// The deque of Chase and Lev: the owner and a thief compete for the last task only.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<long> top = 0, bottom = 0, tasks[2];
std::atomic<int> taken[3];

void push(long task) {
  const long b = bottom;
  tasks[b % 2] = task;
  bottom = b + 1;
}
long take() {
  const long b = bottom - 1;
  bottom = b;
  long t = top;
  if (t < b) return tasks[b % 2];
  long task = 0;
  if (t == b) {
    task = tasks[b % 2];
    if (!top.compare_exchange_strong(t, t + 1)) task = 0;
  }
  bottom = b + 1;
  return task;
}
long steal() {
  long t = top;
  if (t >= bottom) return 0;
  const long task = tasks[t % 2];
  return top.compare_exchange_strong(t, t + 1) ? task : 0;
}

int main() {
  push(1);
  push(2);
  std::thread thief([] { taken[steal()]++; });
  taken[take()]++;
  taken[take()]++;
  thief.join();
  assert(taken[1] == 1 && taken[2] == 1);
}
