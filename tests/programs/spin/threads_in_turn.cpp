// More threads than can be at once, one after the other: each is joined before the next begins.
// expect: verified optimal=1 observers=1
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  std::atomic<long> x = 0;
  for (long i = 0; i < 50; ++i) {
    std::thread t([&] { x.store(x.load() + 1); });
    t.join();
  }
  assert(x == 50);
}
