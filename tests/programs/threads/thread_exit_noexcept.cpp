// pthread_exit cannot leave a function that throws nothing.
// expect: finding terminate
#include <pthread.h>

static void leave() noexcept { pthread_exit(nullptr); }
static void* work(void*) {
  leave();
  return nullptr;
}

int main() {
  pthread_t a;
  pthread_create(&a, nullptr, work, nullptr);
  pthread_join(a, nullptr);
}
