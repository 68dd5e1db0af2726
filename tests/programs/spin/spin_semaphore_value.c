// A loop that polls the value of a semaphore, into a variable of its own.
// expect: verified optimal=2 observers=2
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void* post(void* unused) {
  sem_post(&s);
  return unused;
}

int main(void) {
  pthread_t a, b;
  sem_init(&s, 0, 0);
  pthread_create(&a, 0, post, 0);
  pthread_create(&b, 0, post, 0);
  for (;;) {
    int value;
    sem_getvalue(&s, &value);
    if (value == 2) break;
  }
  pthread_join(a, 0);
  pthread_join(b, 0);
}
