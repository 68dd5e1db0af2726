// A seqlock whose reader does not look again.
// expect: finding assertion line here
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<unsigned> sequence = 0;
std::atomic<long> a = 0, b = 0;

int main() {
  std::thread writer([] {
    ++sequence;
    a = 1;
    b = 1;
    ++sequence;
  });
  if (sequence % 2 == 0) {
    const long seen_a = a, seen_b = b;
    assert(seen_a == seen_b);  // here
  }
  writer.join();
}
