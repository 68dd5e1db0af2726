// Main waits for a thread that waits for a thread that waits for main.
// expect: finding deadlock
#include <pthread.h>

static pthread_t main_thread;

static void* last(void* unused) {
  pthread_join(main_thread, 0);
  return unused;
}
static void* first(void* unused) {
  pthread_t b;
  pthread_create(&b, 0, last, 0);
  pthread_join(b, 0);
  return unused;
}

int main(void) {
  pthread_t a;
  main_thread = pthread_self();
  pthread_create(&a, 0, first, 0);
  pthread_join(a, 0);
}
