// A call that throws has not happened: the next one tries again.
// expect: verified
#include <atomic>
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

std::once_flag flag;
std::atomic<int> thrown = 0;
int calls = 0, value = 0;

void initialise() {
  if (++calls == 1) throw std::runtime_error("not yet");
  value = 7;
}
void use() {
  for (bool done = false; !done;) {
    try {
      std::call_once(flag, initialise);
      done = true;
    } catch (const std::runtime_error&) {
      ++thrown;
    }
  }
  assert(value == 7);
}

int main() {
  std::thread a(use), b(use);
  a.join();
  b.join();
  assert(calls == 2 && thrown == 1);
}
