// condition_variable_any with a shared lock: a reader waits for a writer.
// expect: verified
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex m;
std::condition_variable_any c;
long value = 0;

int main() {
  std::thread a([] {
    std::shared_lock lock(m);
    c.wait(lock, [] { return value != 0; });
    assert(value == 3);
  });
  {
    std::unique_lock lock(m);
    value = 3;
  }
  c.notify_all();
  a.join();
}
