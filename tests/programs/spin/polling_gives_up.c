// After three attempts the thread continues by itself, and finds nothing.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t items;

static void* poll_items(void* unused) {
  for (int attempts = 0; attempts < 3; ++attempts) {
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 2;
    if (sem_timedwait(&items, &limit) == 0) return unused;
  }
  assert(!"nothing came");  // here
  return unused;
}

int main(void) {
  pthread_t a;
  sem_init(&items, 0, 0);
  pthread_create(&a, 0, poll_items, 0);
  pthread_join(a, 0);
}
