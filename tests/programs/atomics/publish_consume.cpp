// A consume is taken for an acquire, as compilers do.
// expect: verified optimal=2 observers=2
#include <atomic>
#include <thread>

long data = 0;
std::atomic<bool> ready = false;

int main() {
  std::thread a([] {
    data = 42;
    ready.store(true, std::memory_order_release);
  });
  long seen = 42;
  if (ready.load(std::memory_order_consume)) seen = data;
  a.join();
  return seen != 42;
}
