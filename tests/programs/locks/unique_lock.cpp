// A unique_lock in all its states: deferred, tried, adopted, moved and released.
// expect: verified
#include <cassert>
#include <mutex>
#include <thread>
#include <utility>

std::mutex m;
long x = 0;

void add() {
  std::unique_lock<std::mutex> lock(m, std::defer_lock);
  assert(!lock.owns_lock());
  lock.lock();
  std::unique_lock<std::mutex> moved(std::move(lock));
  assert(!lock && moved);
  x = x + 1;
  moved.release();
  std::unique_lock<std::mutex> adopted(m, std::adopt_lock);
  adopted.unlock();
  if (adopted.try_lock()) x = x + 0;
}

int main() {
  std::thread a(add), b(add);
  a.join();
  b.join();
  assert(x == 2);
}
