// N workers take TASKS tasks from a queue and add up the results under another lock.
#include <cassert>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#ifndef N
#define N 2
#endif
#ifndef TASKS
#define TASKS 4
#endif

std::mutex queue_mutex, sum_mutex;
std::deque<int> tasks;
int sum;

void work() {
  while (true) {
    int task = 0;
    {
      const std::lock_guard lock(queue_mutex);
      if (tasks.empty()) return;
      task = tasks.front();
      tasks.pop_front();
    }
    const int result = task * task;
    const std::lock_guard lock(sum_mutex);
    sum += result;
  }
}

int main() {
  int expected = 0;
  for (int k = 1; k <= TASKS; ++k) {
    tasks.push_back(k);
    expected += k * k;
  }
  std::vector<std::thread> workers;
  for (int k = 0; k < N; ++k) workers.emplace_back(work);
  for (std::thread& t : workers) t.join();
  assert(sum == expected);
}
