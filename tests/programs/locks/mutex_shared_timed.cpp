// shared_timed_mutex: a reader keeps a writer out, and lets another reader in.
// expect: verified
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

std::shared_timed_mutex m;

int main() {
  std::shared_lock lock(m);
  std::thread a([] {
    assert(!m.try_lock() && !m.try_lock_for(1s));
    assert(m.try_lock_shared());
    m.unlock_shared();
    std::shared_lock second(m, 1s);
    assert(second);
  });
  a.join();
  lock.unlock();
  assert(m.try_lock_until(std::chrono::steady_clock::now() + 1s));
  m.unlock();
}
