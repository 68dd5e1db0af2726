// A loop that is left by counting calls a function that has a loop itself, which it is left by if an
// exchange succeeds.
// expect: verified optimal=3 observers=3
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> tokens{0};

bool take() {
  int seen = tokens.load();
  while (seen > 0)
    if (tokens.compare_exchange_weak(seen, seen - 1)) return true;
  return false;
}

bool spin() {
  for (int round = 0; round < 1000; ++round)
    if (take()) return true;
  return false;
}

int main() {
  int taken = 0;
  std::thread other([] { tokens = 1; });
  taken += spin() ? 1 : 0;
  taken += spin() ? 1 : 0;
  other.join();
  assert(taken + tokens == 1);
}
