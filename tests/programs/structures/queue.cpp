// A queue with a condition variable.
// expect: verified optimal=8 observers=8
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

std::mutex m;
std::condition_variable c;
std::vector<int> queue;

int take() {
  std::unique_lock lock(m);
  c.wait(lock, [] { return !queue.empty(); });
  const int value = queue.back();
  queue.pop_back();
  return value;
}
void put(int value) {
  {
    std::lock_guard lock(m);
    queue.push_back(value);
  }
  c.notify_one();
}

int main() {
  int sum = 0;
  std::thread consumer([&] { sum = take() + take(); });
  put(1);
  put(2);
  consumer.join();
  assert(sum == 3);
}
