// Two workers share the tasks by a counter; the last to finish says so.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

constexpr int n = 3;
std::atomic<int> next = 0, left = n;
long results[n], total = 0;

void work() {
  for (int i = next.fetch_add(1); i < n; i = next.fetch_add(1)) {
    results[i] = i + 1;
    if (left.fetch_sub(1, std::memory_order_acq_rel) == 1)
      for (const long r : results) total += r;
  }
}

int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
  assert(total == 6);
}
