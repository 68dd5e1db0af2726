// A loop until a flag is set, through a function: when it ends, the data is there.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> ready = false;
long data = 0;

bool is_ready() { return ready.load(std::memory_order_acquire); }

int main() {
  std::thread a([] {
    data = 5;
    ready.store(true, std::memory_order_release);
  });
  while (!is_ready()) {
  }
  assert(data == 5);
  a.join();
}
