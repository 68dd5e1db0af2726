// A ring for one producer and one consumer: each publishes with release what it has done.
// expect: verified
#include <atomic>
#include <thread>

long ring[2];
std::atomic<unsigned> head = 0, tail = 0;

void put(long value) {
  const unsigned at = tail.load(std::memory_order_relaxed);
  while (at - head.load(std::memory_order_acquire) == 2) {
  }
  ring[at % 2] = value;
  tail.store(at + 1, std::memory_order_release);
}
long take() {
  const unsigned at = head.load(std::memory_order_relaxed);
  while (tail.load(std::memory_order_acquire) == at) {
  }
  const long value = ring[at % 2];
  head.store(at + 1, std::memory_order_release);
  return value;
}

int main() {
  std::thread a([] {
    for (long i = 1; i <= 3; ++i) put(i);
  });
  long log = 0;
  for (int i = 0; i < 3; ++i) log = log * 10 + take();
  a.join();
  return log != 123;
}
