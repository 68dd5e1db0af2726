// A thread that looks before it waits can still wait for ever: another one takes the token in
// between.
// expect: finding deadlock
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void* take(void* unused) {
  int value = 0;
  sem_getvalue(&s, &value);
  if (value > 0) sem_wait(&s);
  return unused;
}

int main(void) {
  pthread_t a, b;
  sem_init(&s, 0, 1);
  pthread_create(&a, 0, take, 0);
  pthread_create(&b, 0, take, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
