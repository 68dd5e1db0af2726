// Dekker's lock: who has not the turn steps back.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> wants[2];
std::atomic<int> turn = 0;

long x = 0;

void add(int self) {
  wants[self] = true;
  while (wants[1 - self]) {
    if (turn == self) continue;
    wants[self] = false;
    while (turn != self) {
    }
    wants[self] = true;
  }
  x = x + 1;
  turn = 1 - self;
  wants[self] = false;
}

int main() {
  std::thread a(add, 0), b(add, 1);
  a.join();
  b.join();
  assert(x == 2);
}
