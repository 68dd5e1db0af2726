// expect: finding assertion line here
// Of two limits that end at the same time, either may be reached first.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

std::timed_mutex a, b;
bool got_a, got_b;

int main() {
  std::thread t([] {
    a.lock();
    got_b = b.try_lock_for(10ms);
    if (got_b) b.unlock();
    a.unlock();
  });
  std::thread u([] {
    b.lock();
    got_a = a.try_lock_for(10ms);
    if (got_a) a.unlock();
    b.unlock();
  });
  t.join();
  u.join();
  assert(!(got_a && !got_b));  // here
}
