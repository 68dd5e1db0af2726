// As above, but the last flag is never set: it is that loop in which the thread waits for ever.
// expect: finding livelock line here
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flags[3];

static void* look(void* unused) {
  for (int k = 0; k < 3; ++k)
    while (!atomic_load(&flags[k])) {  // here
    }
  return unused;
}

static void* set(void* unused) {
  for (int k = 0; k < 2; ++k) atomic_store(&flags[k], 1);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, look, 0);
  pthread_create(&two, 0, set, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}
