// A waiting loop that keeps what it found, and exchanges it for itself.
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
  int r = x;
  for (;;) {
    if (r == 5) {
      if (atomic_compare_exchange_strong(&x, &r, 5)) break;
    } else {
      atomic_compare_exchange_strong(&x, &r, 17);
    }
  }
  pthread_join(t, 0);
}
