// Of two atomic stores, the later one decides whether a block is lost.
// expect: verified optimal=2 observers=2
// expect: warning leak: memory is never freed
#include <pthread.h>
#include <stdlib.h>

static void* kept;

static void* keep(void* unused) {
  __atomic_store_n(&kept, malloc(8), __ATOMIC_RELEASE);
  return unused;
}

static void* drop(void* unused) {
  __atomic_store_n(&kept, (void*)0, __ATOMIC_RELEASE);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, drop, 0);
  pthread_create(&two, 0, keep, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}
