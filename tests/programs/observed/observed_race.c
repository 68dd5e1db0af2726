// Memory whose order of stores a plain read sees can still have a data race.
// expect: finding data-race
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static int x;
static sem_t stored;

static void* store(void* value) {
  __atomic_store_n(&x, value == &x ? 1 : 2, __ATOMIC_RELAXED);
  sem_post(&stored);
  return 0;
}

static void* write_plainly(void* unused) {
  x = 3;
  return unused;
}

int main(void) {
  pthread_t one, two, three;
  sem_init(&stored, 0, 0);
  pthread_create(&one, 0, store, &x);
  pthread_create(&two, 0, store, 0);
  sem_wait(&stored);
  sem_wait(&stored);
  pthread_create(&three, 0, write_plainly, 0);
  assert(x != 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  pthread_join(three, 0);
}
