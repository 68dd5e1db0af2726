// N writers of one variable and a reader at any time, as in floating_read.c.
// expect: verified optimal=120 observers=33
#include <atomic>
#include <thread>
#include <vector>

constexpr int n = 4;
std::atomic<long> x = 0;
long seen = 0;

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < n; ++i) threads.emplace_back([i] { x = i + 1; });
  threads.emplace_back([] { seen = x; });
  for (std::thread& t : threads) t.join();
}
