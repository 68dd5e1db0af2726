// Who throws it on does not.
// expect: verified optimal=1 observers=1
#include <cassert>
#include <pthread.h>

static int caught;

static void* work(void*) {
  try {
    pthread_exit(&caught);
  } catch (...) {
    ++caught;
    throw;
  }
}

int main() {
  pthread_t a;
  void* result;
  pthread_create(&a, nullptr, work, nullptr);
  pthread_join(a, &result);
  assert(caught == 1 && result == &caught);
}
