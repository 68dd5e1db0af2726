// timed_mutex and recursive_timed_mutex: limits are reached only where nothing else can happen.
// expect: verified
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

std::timed_mutex m;
std::recursive_timed_mutex r;

int main() {
  m.lock();
  assert(r.try_lock_for(1s) && r.try_lock_for(1s));
  std::thread a([] {
    assert(!m.try_lock() && !m.try_lock_for(1s));
    assert(!r.try_lock_until(std::chrono::steady_clock::now() + 1s));
    assert(!r.try_lock_until(std::chrono::system_clock::now() + 1s));
  });
  a.join();
  m.unlock();
  r.unlock();
  r.unlock();
}
