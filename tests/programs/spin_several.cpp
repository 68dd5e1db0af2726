// A loop that looks at several variables, until all are set. As it shares its beginning with the
// loop inside, it is not recognised as one that waits.
// options: --max-steps 500
// expect: finding endless
// expect: incomplete step
// runs: one
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
