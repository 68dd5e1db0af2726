// An exception leaves a function that promised not to throw.
// expect: finding terminate
#include <atomic>
#include <thread>

std::atomic<int> stock = 1;

void check(int left) {
  if (left <= 0) throw "sold out";
}
void take() noexcept { check(stock.fetch_sub(1)); }

int main() {
  std::thread a(take), b(take);
  a.join();
  b.join();
}
