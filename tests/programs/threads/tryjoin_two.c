// Two threads that end in either order, and one that looks.
// expect: verified optimal=4 observers=4
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

static void* nothing(void* unused) { return unused; }

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, nothing, NULL);
  pthread_create(&b, NULL, nothing, NULL);
  const int first = pthread_tryjoin_np(a, NULL), second = pthread_tryjoin_np(b, NULL);
  if (first == EBUSY) pthread_join(a, NULL);
  if (second == EBUSY) pthread_join(b, NULL);
}
