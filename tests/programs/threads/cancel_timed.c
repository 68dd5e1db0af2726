// A time limit is a last resort: a thread that has been cancelled continues first.
// expect: verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t never, cleaned;

static void clean(void* p) { sem_post(p); }

static void* work(void* p) {
  pthread_cleanup_push(clean, &cleaned);
  sem_wait(&never);
  pthread_cleanup_pop(0);
  return p;
}

int main(void) {
  pthread_t a;
  struct timespec limit;
  sem_init(&never, 0, 0);
  sem_init(&cleaned, 0, 0);
  pthread_create(&a, 0, work, 0);
  pthread_cancel(a);
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 10;
  assert(sem_timedwait(&cleaned, &limit) == 0);
  pthread_join(a, 0);
}
