// Recursive and timed mutexes of C11.
// expect: verified
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t recursive, timed;

static int work(void* unused) {
  struct timespec until;
  (void)unused;
  assert(mtx_trylock(&recursive) == thrd_busy);
  assert(mtx_trylock(&timed) == thrd_busy);
  timespec_get(&until, TIME_UTC);
  until.tv_sec += 1;
  assert(mtx_timedlock(&timed, &until) == thrd_timedout);
  return 0;
}

int main(void) {
  thrd_t a;
  mtx_init(&recursive, mtx_plain | mtx_recursive);
  mtx_init(&timed, mtx_timed);
  assert(mtx_lock(&recursive) == thrd_success && mtx_lock(&recursive) == thrd_success);
  assert(mtx_unlock(&recursive) == thrd_success && mtx_lock(&timed) == thrd_success);
  thrd_create(&a, work, 0);
  thrd_join(a, 0);
  assert(mtx_unlock(&recursive) == thrd_success && mtx_unlock(&timed) == thrd_success);
  mtx_destroy(&recursive);
  mtx_destroy(&timed);
}
