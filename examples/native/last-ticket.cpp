// Two customers, one ticket: both can see that it is there before either takes it.
// expect: finding assertion line 17
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> tickets = 1;

void buy() {
  if (tickets > 0) --tickets;
}

int main() {
  std::thread a(buy), b(buy);
  a.join();
  b.join();
  assert(tickets >= 0);
}
