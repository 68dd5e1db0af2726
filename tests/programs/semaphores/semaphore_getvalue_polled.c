// A loop that polls the value of a semaphore into a variable that lives on: such a loop is not known
// to wait, and goes round until the limits, but it comes back.
// options: --executions 50
// expect: incomplete the limit of 50 runs was reached
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void* post(void* unused) {
  sem_post(&s);
  return unused;
}

int main(void) {
  pthread_t t;
  int value;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, post, 0);
  do {
    sem_getvalue(&s, &value);
  } while (value == 0);
  pthread_join(t, 0);
}
