// Two semaphores are taken in opposite order.
// expect: finding deadlock
#include <pthread.h>
#include <semaphore.h>

static sem_t s, t;

static void* one(void* unused) {
  sem_wait(&s);
  sem_wait(&t);
  sem_post(&t);
  sem_post(&s);
  return unused;
}
static void* other(void* unused) {
  sem_wait(&t);
  sem_wait(&s);
  sem_post(&s);
  sem_post(&t);
  return unused;
}

int main(void) {
  pthread_t a, b;
  sem_init(&s, 0, 1);
  sem_init(&t, 0, 1);
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
