// Peterson's lock with the turn given after looking.
// expect: finding assertion line here
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<long> wants[2], inside;

void enter(int self) {
  if (wants[1 - self] != 0) return;
  wants[self] = 1;
  assert(inside.fetch_add(1) == 0);  // here
  inside.fetch_sub(1);
  wants[self] = 0;
}

int main() {
  std::thread a(enter, 0), b(enter, 1);
  a.join();
  b.join();
}
