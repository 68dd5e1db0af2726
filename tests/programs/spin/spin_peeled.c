// What a round has read is looked at in the next.
// expect: verified optimal=1
#include <pthread.h>
#include <stdatomic.h>

atomic_int x = 1;

static void *writer(void *unused) {
  for (int i = 2; i < 10; i++) x = i;
  x = 0;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  int a = x;
  while (a != 0) a = x;
  pthread_join(t, 0);
}
