// A loop that looks at several variables, until all are set.
// expect: verified optimal=1 observers=1
#include <atomic>
#include <thread>

std::atomic<int> ready[2];

int main() {
  std::thread a([] { ready[0] = 1; }), b([] { ready[1] = 1; });
  while (true) {
    int sum = 0;
    for (auto& r : ready) sum += r;
    if (sum == 2) break;
  }
  a.join();
  b.join();
}
