// Atomic increments in any order: 3! traces.
// expect: verified optimal=6 observers=6
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

int main() {
  std::atomic<long> x = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back([&] { x.fetch_add(1); });
  for (std::thread& t : threads) t.join();
  assert(x == 3);
}
