// No thread posts: to try it with a time limit again and again leads nowhere.
// expect: finding deadlock
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t items;

static void* poll_items(void* unused) {
  for (;;) {
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 2;
    if (sem_timedwait(&items, &limit) == 0) return unused;
  }
}

int main(void) {
  pthread_t a, b;
  sem_init(&items, 0, 0);
  pthread_create(&a, 0, poll_items, 0);
  pthread_create(&b, 0, poll_items, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
