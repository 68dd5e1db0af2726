// A lock that looks first and takes then lets both in.
// expect: finding data-race line here
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> held = false;

long x = 0;

void add() {
  while (held) {
  }
  held = true;
  x = x + 1;  // here
  held = false;
}

int main() {
  std::thread a(add), b(add);
  a.join();
  b.join();
  assert(x == 2);
}
