// Peterson's lock, each waiting a bounded number of times.
// expect: verified optimal=30 observers=30
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<long> wants[2], turn, inside;

void enter(int self) {
  wants[self] = 1;
  turn = 1 - self;
  for (int n = 0; wants[1 - self] != 0 && turn == 1 - self; ++n)
    if (n == 2) {
      wants[self] = 0;
      return;
    }
  assert(inside.fetch_add(1) == 0);
  inside.fetch_sub(1);
  wants[self] = 0;
}

int main() {
  std::thread a(enter, 0), b(enter, 1);
  a.join();
  b.join();
}
