// No thread releases the semaphore: each that waits times out.
// expect: verified
#include <cassert>
#include <chrono>
#include <semaphore>

using namespace std::chrono_literals;

int main() {
  std::binary_semaphore never(0);
  assert(!never.try_acquire_for(1s));
  assert(!never.try_acquire_until(std::chrono::system_clock::now() + 1s));
  never.release();
  assert(never.try_acquire_for(1s));
}
