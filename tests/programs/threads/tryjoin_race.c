// Who was told that the thread has not ended yet must not use its memory.
// expect: finding data-race
#define _GNU_SOURCE
#include <pthread.h>

static int value;

static void* set(void* unused) {
  value = 3;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, set, NULL);
  if (pthread_tryjoin_np(t, NULL) == 0) return 0;
  value = 4;
  pthread_join(t, NULL);
}
