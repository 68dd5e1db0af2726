// A seqlock: a reader tries again if the number was odd or has changed. The data is atomic, as the
// language wants it.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<unsigned> sequence = 0;
std::atomic<long> a = 0, b = 0;

int main() {
  std::thread writer([] {
    sequence.fetch_add(1);
    a.store(1, std::memory_order_relaxed);
    b.store(1, std::memory_order_relaxed);
    sequence.fetch_add(1);
  });
  long seen_a = 0, seen_b = 0;
  unsigned before = 0, after = 0;
  do {
    before = sequence;
    seen_a = a.load(std::memory_order_relaxed);
    seen_b = b.load(std::memory_order_relaxed);
    after = sequence;
  } while (before != after || before % 2 != 0);
  assert(seen_a == seen_b);
  writer.join();
}
