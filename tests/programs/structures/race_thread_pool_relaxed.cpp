// The last to finish adds up what the others did, but a relaxed counter does not order it.
// expect: finding data-race
#include <atomic>
#include <thread>

std::atomic<int> left = 2;
long results[2], total = 0;

void work(int i) {
  results[i] = i + 1;
  if (left.fetch_sub(1, std::memory_order_relaxed) == 1) total = results[0] + results[1];
}

int main() {
  std::thread a(work, 0), b(work, 1);
  a.join();
  b.join();
  return total != 3;
}
