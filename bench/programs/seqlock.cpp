// A seqlock: a writer that changes two values twice, and N readers that see both of one time.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#ifndef N
#define N 2
#endif

std::atomic<unsigned> sequence = 0;
std::atomic<int> a = 0, b = 0;

void write(int value) {
  sequence.fetch_add(1);
  a.store(value, std::memory_order_relaxed);
  b.store(value, std::memory_order_relaxed);
  sequence.fetch_add(1);
}
void look() {
  int seen_a = 0, seen_b = 0;
  unsigned before = 0, after = 0;
  do {
    before = sequence;
    seen_a = a.load(std::memory_order_relaxed);
    seen_b = b.load(std::memory_order_relaxed);
    after = sequence;
  } while (before != after || before % 2 != 0);
  assert(seen_a == seen_b);
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < N; ++i) threads.emplace_back(look);
  write(1);
  write(2);
  for (std::thread& t : threads) t.join();
}
