// The token may not be there yet when it is tried.
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
  pthread_t a;
  sem_init(&s, 0, 0);
  pthread_create(&a, 0, post, 0);
  assert(sem_trywait(&s) == 0);  // here
  pthread_join(a, 0);
}
