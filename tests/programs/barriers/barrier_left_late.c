// expect: finding data-race
// Who leaves a barrier late learns of its own generation only.
#include <pthread.h>
#include <semaphore.h>

static pthread_barrier_t barrier;
static sem_t first, second;
static int data, seen;

static void* one(void* p) {
  sem_wait(&first);
  pthread_barrier_wait(&barrier);
  sem_post(&second);
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  return 0;
}
static void* two(void* p) {
  sem_wait(&second);
  pthread_barrier_wait(&barrier);
  data = 1;
  pthread_barrier_wait(&barrier);
  return 0;
}
static void* three(void* p) {
  sem_post(&first);
  pthread_barrier_wait(&barrier);
  seen = data;
  return 0;
}

int main(void) {
  pthread_t s, t, u;
  pthread_barrier_init(&barrier, 0, 2);
  sem_init(&first, 0, 0);
  sem_init(&second, 0, 0);
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_create(&u, 0, three, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
