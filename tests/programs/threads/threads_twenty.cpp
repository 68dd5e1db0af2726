// Twenty threads that have nothing to do with each other: one execution.
// expect: verified optimal=1 observers=1
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

int main() {
  std::atomic<long> done[20] = {};
  std::vector<std::thread> threads;
  for (int i = 0; i < 20; ++i)
    threads.emplace_back([&done, i] {
      for (int k = 0; k < 50; ++k) done[i].fetch_add(1);
    });
  for (std::thread& t : threads) t.join();
  for (auto& d : done) assert(d == 50);
}
