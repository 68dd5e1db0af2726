// In one of two schedules main comes too early to take the block, and forgets it afterwards.
// expect: verified optimal=2 observers=2
// expect: warning leak
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(void*) current;

static void* publish(void* unused) {
  atomic_exchange(&current, malloc(30));
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, publish, 0);
  free(atomic_exchange(&current, 0));
  pthread_join(a, 0);
  atomic_store(&current, 0);
}
