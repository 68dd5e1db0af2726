// Only the thread that comes second takes the way with the race.
// expect: finding data-race
#include <atomic>
#include <thread>

std::atomic<int> tickets = 0;
long first = 0, shared = 0;

void work() {
  if (tickets.fetch_add(1, std::memory_order_relaxed) == 0)
    shared = 1;
  else
    first = shared;
}

int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
}
