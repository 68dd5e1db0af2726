// Who catches everything must pass it on.
// expect: finding terminate
#include <pthread.h>

void* work(void* p) {
  try {
    pthread_testcancel();
  } catch (...) {
  }
  return p;
}

int main() {
  pthread_t a;
  pthread_create(&a, nullptr, work, nullptr);
  pthread_cancel(a);
  pthread_join(a, nullptr);
}
