// A detached thread that main waits for through a semaphore has done all that it was to do.
// expect: verified
// allow: main returns while
#include <cassert>
#include <semaphore>
#include <thread>

std::binary_semaphore done(0);
long result;

int main() {
  std::thread([] {
    result = 7;
    done.release();
  }).detach();
  done.acquire();
  assert(result == 7);
}
