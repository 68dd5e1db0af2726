// A thread looks at its own object, before it is joined.
// expect: verified
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
std::thread worker;
std::thread::id seen;

int main() {
  {
    const std::lock_guard<std::mutex> lock(mutex);
    worker = std::thread([] {
      const std::lock_guard<std::mutex> lock(mutex);
      seen = worker.get_id();
    });
  }
  worker.join();
  assert(seen != worker.get_id());
}
