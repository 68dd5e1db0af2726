// A writer and N readers, as in readers.c: 2^N traces.
// expect: verified optimal=64 observers=64
#include <atomic>
#include <thread>
#include <vector>

constexpr int n = 6;
std::atomic<long> x = 0;
long seen[n];

int main() {
  std::vector<std::thread> threads;
  threads.emplace_back([] { x = 1; });
  for (int i = 0; i < n; ++i) threads.emplace_back([i] { seen[i] = x; });
  for (std::thread& t : threads) t.join();
}
