// Two producers and one consumer of a std::queue: everything arrives.
// expect: verified
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

std::mutex m;
std::condition_variable c;
std::queue<int> queue;

void produce(int value) {
  std::lock_guard lock(m);
  queue.push(value);
  c.notify_one();
}

int main() {
  std::thread a(produce, 1), b(produce, 2);
  int sum = 0;
  for (int i = 0; i < 2; ++i) {
    std::unique_lock lock(m);
    c.wait(lock, [] { return !queue.empty(); });
    sum += queue.front();
    queue.pop();
  }
  a.join();
  b.join();
  assert(sum == 3);
}
