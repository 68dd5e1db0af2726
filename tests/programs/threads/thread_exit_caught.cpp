// Who catches everything and does not throw it on ends the process if it was pthread_exit.
// expect: finding terminate
#include <pthread.h>

static void* work(void*) {
  try {
    pthread_exit(nullptr);
  } catch (...) {
  }
  return nullptr;
}

int main() {
  pthread_t a;
  pthread_create(&a, nullptr, work, nullptr);
  pthread_join(a, nullptr);
}
