// Lamport's bakery: who enters takes a number, and the lower one is served first.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> choosing[2];
std::atomic<int> number[2];
long x = 0;

bool is_before(int other, int self, int mine) {
  const int theirs = number[other];
  return theirs != 0 && (theirs < mine || (theirs == mine && other < self));
}

void add(int self) {
  const int other = 1 - self;
  choosing[self] = true;
  const int mine = 1 + number[other];
  number[self] = mine;
  choosing[self] = false;
  while (choosing[other]) {
  }
  while (is_before(other, self, mine)) {
  }
  x = x + 1;
  number[self] = 0;
}

int main() {
  std::thread a(add, 0), b(add, 1);
  a.join();
  b.join();
  assert(x == 2);
}
