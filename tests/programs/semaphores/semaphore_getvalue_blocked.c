// The wait has to come after the post: so there are three places for the look.
// expect: verified optimal=3 observers=3
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
  sem_init(&s, 0, 0);
  pthread_create(&a, 0, wait, 0);
  pthread_create(&b, 0, post, 0);
  sem_getvalue(&s, &value);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(value == 0 || value == 1);
}
