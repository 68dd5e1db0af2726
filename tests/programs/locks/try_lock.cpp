// A thread that does not get the lock does not count; one does.
// expect: finding assertion line here
#include <cassert>
#include <mutex>
#include <thread>

std::mutex m;
long x;

void add() {
  std::unique_lock lock(m, std::try_to_lock);
  if (lock) x = x + 1;
}

int main() {
  std::thread a(add), b(add);
  a.join();
  b.join();
  assert(x == 2);  // here
}
