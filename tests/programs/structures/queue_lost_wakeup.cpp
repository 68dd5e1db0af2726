// The consumer is woken only if the queue was empty: with two who wait, one is forgotten.
// expect: finding deadlock
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable c;
std::deque<int> queue;

void put(int value) {
  std::lock_guard lock(m);
  queue.push_back(value);
  if (queue.size() == 1) c.notify_one();
}
void take() {
  std::unique_lock lock(m);
  c.wait(lock, [] { return !queue.empty(); });
  queue.pop_front();
}

int main() {
  std::thread a(take), b(take);
  put(1);
  put(2);
  a.join();
  b.join();
}
