// Destructors run, and handlers that pass it on.
// expect: verified
#include <cxxabi.h>
#include <pthread.h>

#include <atomic>
#include <cassert>

std::atomic<int> destroyed, caught;

struct Guard {
  ~Guard() { ++destroyed; }
};

void* work(void* p) {
  Guard outer;
  try {
    Guard inner;
    for (;;) pthread_testcancel();
  } catch (abi::__forced_unwind&) {
    ++caught;
    throw;
  } catch (...) {
    assert(false);
  }
  return p;
}

int main() {
  pthread_t a;
  void* result;
  pthread_create(&a, nullptr, work, nullptr);
  pthread_cancel(a);
  pthread_join(a, &result);
  assert(result == PTHREAD_CANCELED && destroyed == 2 && caught == 1);
}
