// A loop that wakes others until they are gone, or a second is over.
// allow: main returns
// expect: verified
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable changed;
bool stop;
volatile int alive = 1;

int main() {
  std::thread waiter([] {
    {
      std::unique_lock lock(m);
      changed.wait(lock, [] { return stop; });
    }
    alive = 0;
  });
  const std::time_t begin = std::time(nullptr);
  {
    std::lock_guard lock(m);
    stop = true;
  }
  while (std::difftime(std::time(nullptr), begin) < 1.0 && alive) {
    std::lock_guard lock(m);
    changed.notify_all();
  }
  waiter.join();
}
