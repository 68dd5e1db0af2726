// Two wait, one is woken.
// expect: finding deadlock
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable c;
bool open = false;

void wait() {
  std::unique_lock lock(m);
  c.wait(lock, [] { return open; });
}

int main() {
  std::thread a(wait), b(wait);
  {
    std::lock_guard lock(m);
    open = true;
  }
  c.notify_one();
  a.join();
  b.join();
}
