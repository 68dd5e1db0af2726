// A semaphore orders what comes before sem_post and what comes after sem_wait.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t full, empty;
static long slot;

static void* produce(void* unused) {
  for (long i = 1; i <= 3; ++i) {
    sem_wait(&empty);
    slot = i;
    sem_post(&full);
  }
  return unused;
}

int main(void) {
  pthread_t a;
  sem_init(&full, 0, 0);
  sem_init(&empty, 0, 1);
  pthread_create(&a, 0, produce, 0);
  for (long i = 1; i <= 3; ++i) {
    sem_wait(&full);
    assert(slot == i);
    sem_post(&empty);
  }
  pthread_join(a, 0);
}
