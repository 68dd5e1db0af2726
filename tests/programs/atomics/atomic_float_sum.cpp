// Two threads add to an atomic double: no addition is lost.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<double> sum = 0;

int main() {
  std::thread a([] { sum += 0.5; }), b([] { sum.fetch_add(0.25); });
  a.join();
  b.join();
  assert(sum == 0.75);
}
