// To wait for no file, for a while, is to sleep.
// expect: verified
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/select.h>

static atomic_int ready, seen;

static void* by_poll(void* unused) {
  while (!atomic_load(&ready)) poll(0, 0, 1);
  atomic_store(&seen, 1);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, by_poll, 0);
  atomic_store(&ready, 1);
  while (!atomic_load(&seen)) {
    struct timeval time = {0, 1000};
    select(0, 0, 0, 0, &time);
  }
  pthread_join(a, 0);
}
