// A binary semaphore is released once and acquired once, and hands over what was written before.
// expect: verified
#include <cassert>
#include <semaphore>
#include <thread>

int main() {
  std::binary_semaphore done(0);
  long value = 0;
  std::thread a([&] {
    value = 42;
    done.release();
  });
  done.acquire();
  assert(value == 42 && !done.try_acquire());
  a.join();
}
