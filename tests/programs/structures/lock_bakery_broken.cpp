// The bakery without a sign at who chooses: both can get the same number.
// expect: finding data-race line here
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> number[2];
long x = 0;

bool is_before(int other, int self, int mine) {
  const int theirs = number[other];
  return theirs != 0 && (theirs < mine || (theirs == mine && other < self));
}

void add(int self) {
  const int other = 1 - self;
  const int mine = 1 + number[other];
  number[self] = mine;
  while (is_before(other, self, mine)) {
  }
  x = x + 1;  // here
  number[self] = 0;
}

int main() {
  std::thread a(add, 0), b(add, 1);
  a.join();
  b.join();
  assert(x == 2);
}
