// Two slots are promised where there is one: the producer writes what the consumer reads.
// expect: finding data-race
#include <pthread.h>
#include <semaphore.h>

static sem_t full, empty;
long slot;

static void* produce(void* unused) {
  for (long i = 1; i <= 2; ++i) {
    sem_wait(&empty);
    slot = i;
    sem_post(&full);
  }
  return unused;
}

int main(void) {
  pthread_t a;
  long sum = 0;
  sem_init(&full, 0, 0);
  sem_init(&empty, 0, 2);
  pthread_create(&a, 0, produce, 0);
  for (long i = 1; i <= 2; ++i) {
    sem_wait(&full);
    sum += slot;
    sem_post(&empty);
  }
  pthread_join(a, 0);
  return sum > 4;
}
