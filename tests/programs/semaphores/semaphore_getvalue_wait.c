// A thread waits, another one posts, and a third looks at the value: it was 1, and is 0, 1 or 2
// meanwhile. The wait comes before the post or after it, and the look in one of three places: six
// orders of three steps that all matter.
// expect: verified optimal=6 observers=6
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void* wait(void* unused) {
  sem_wait(&s);
  return unused;
}

static void* post(void* unused) {
  sem_post(&s);
  return unused;
}

int main(void) {
  pthread_t a, b;
  int value = -1;
  sem_init(&s, 0, 1);
  pthread_create(&a, 0, wait, 0);
  pthread_create(&b, 0, post, 0);
  sem_getvalue(&s, &value);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(value >= 0 && value <= 2);
  sem_getvalue(&s, &value);
  assert(value == 1);
}
