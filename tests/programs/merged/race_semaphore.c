// As race_mutex.c, with a semaphore.
// expect: finding data-race
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static long u, seen;
static atomic_int steps;
static sem_t s;

static void* one(void* unused) {
  sem_wait(&s);
  seen = u;
  sem_post(&s);
  return unused;
}
static void* other(void* unused) {
  sem_wait(&s);
  sem_post(&s);
  atomic_fetch_add_explicit(&steps, 1, memory_order_relaxed);
  u = 1;
  return unused;
}

int main(void) {
  sem_init(&s, 0, 1);
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
