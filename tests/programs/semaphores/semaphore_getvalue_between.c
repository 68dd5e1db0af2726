// sem_getvalue can come between two posts.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void* post(void* unused) {
  sem_post(&s);
  return unused;
}

int main(void) {
  pthread_t a, b;
  int value = -1;
  sem_init(&s, 0, 0);
  pthread_create(&a, 0, post, 0);
  pthread_create(&b, 0, post, 0);
  sem_getvalue(&s, &value);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(value != 1);  // here
}
