// A ticket lock, taken twice by each of N threads.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#ifndef N
#define N 2
#endif

class TicketLock {
 public:
  void lock() {
    const unsigned mine = next_.fetch_add(1, std::memory_order_relaxed);
    while (serving_.load(std::memory_order_acquire) != mine) {
    }
  }
  void unlock() {
    serving_.store(serving_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

 private:
  std::atomic<unsigned> next_ = 0, serving_ = 0;
};

int main() {
  TicketLock lock;
  int count = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < N; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 2; ++k) {
        lock.lock();
        ++count;
        lock.unlock();
      }
    });
  for (std::thread& t : threads) t.join();
  assert(count == 2 * N);
}
