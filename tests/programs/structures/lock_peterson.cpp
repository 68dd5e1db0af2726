// Peterson's lock.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> wants[2];
std::atomic<int> turn = 0;

long x = 0;

void add(int self) {
  wants[self] = true;
  turn = 1 - self;
  while (wants[1 - self] && turn == 1 - self) {
  }
  x = x + 1;
  wants[self] = false;
}

int main() {
  std::thread a(add, 0), b(add, 1);
  a.join();
  b.join();
  assert(x == 2);
}
