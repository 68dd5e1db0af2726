// last-ticket.cpp, with a compare-exchange that takes a ticket only if no other did since the
// number was looked at.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> tickets = 1;

void buy() {
  int left = tickets;
  while (left > 0 && !tickets.compare_exchange_weak(left, left - 1)) {
  }
}

int main() {
  std::thread a(buy), b(buy);
  a.join();
  b.join();
  assert(tickets == 0);
}
