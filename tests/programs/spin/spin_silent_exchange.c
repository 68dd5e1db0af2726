// Waiting loops that exchange a value for itself.
// options: --max-steps 3000
// expect: verified
#include <pthread.h>
#include <stdatomic.h>

atomic_int x = 17;

static void *writer(void *unused) {
  x = 5;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  for (;;) {
    int e = 17;
    if (!atomic_compare_exchange_strong(&x, &e, 17)) break;
  }
  int e = 5;
  while (!atomic_compare_exchange_strong(&x, &e, 5)) e = 5;
  pthread_join(t, 0);
  for (int r = x;;) {
    if (r == 5) break;
    atomic_compare_exchange_strong(&x, &r, 17);
  }
}
