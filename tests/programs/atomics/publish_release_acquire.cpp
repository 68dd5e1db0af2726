// The classic: data, then a flag with release; the flag with acquire, then the data.
// expect: verified optimal=2 observers=2
#include <atomic>
#include <cassert>
#include <thread>

long data = 0;
std::atomic<bool> ready = false;

int main() {
  std::thread a([] {
    data = 42;
    ready.store(true, std::memory_order_release);
  });
  if (ready.load(std::memory_order_acquire)) assert(data == 42);
  a.join();
}
