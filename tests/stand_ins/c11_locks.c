// Mutexes and conditions of C.
#include <threads.h>
#include <time.h>

#include "show.h"

static const struct timespec past = {1, 0}, wrong = {1, 1000000000};

static int fail_to_lock(void* m) {
  SHOW_NUMBER(mtx_trylock((mtx_t*)m) == thrd_busy);
  SHOW_NUMBER(mtx_timedlock((mtx_t*)m, &past) == thrd_timedout);
  SHOW_NUMBER(mtx_timedlock((mtx_t*)m, &wrong) == thrd_error);
  return 5;
}

int main(void) {
  const int types[] = {mtx_plain, mtx_timed, mtx_plain | mtx_recursive, mtx_timed | mtx_recursive};
  for (int k = 0; k < 4; ++k) {
    mtx_t m;
    thrd_t t;
    int result = 0;
    SHOW_NUMBER(mtx_init(&m, types[k]) == thrd_success);
    SHOW_NUMBER(mtx_timedlock(&m, &past) == thrd_success);
    if (k >= 2) {
      SHOW_NUMBER(mtx_lock(&m) == thrd_success);
      SHOW_NUMBER(mtx_trylock(&m) == thrd_success);
      SHOW_NUMBER(mtx_unlock(&m) == thrd_success);
      SHOW_NUMBER(mtx_unlock(&m) == thrd_success);
    } else {
      SHOW_NUMBER(mtx_trylock(&m) == thrd_busy);
    }
    const int created = thrd_create(&t, fail_to_lock, &m);
    SHOW_NUMBER(thrd_join(t, &result) == thrd_success);
    SHOW_NUMBER(created == thrd_success);
    SHOW_NUMBER(result);
    SHOW_NUMBER(mtx_unlock(&m) == thrd_success);
    mtx_destroy(&m);
  }
  mtx_t m;
  mtx_init(&m, mtx_plain);
  cnd_t c;
  SHOW_NUMBER(cnd_init(&c) == thrd_success);
  SHOW_NUMBER(cnd_signal(&c) == thrd_success);
  SHOW_NUMBER(cnd_broadcast(&c) == thrd_success);
  mtx_lock(&m);
  SHOW_NUMBER(cnd_timedwait(&c, &m, &past) == thrd_timedout);
  SHOW_NUMBER(cnd_timedwait(&c, &m, &wrong) == thrd_error);
  SHOW_NUMBER(mtx_unlock(&m) == thrd_success);
  cnd_destroy(&c);
  mtx_destroy(&m);
  struct timespec t;
  SHOW_NUMBER(timespec_get(&t, TIME_UTC));
  SHOW_NUMBER(timespec_get(&t, 77));
  const struct timespec negative = {-1, 0}, moment = {0, 1};
  SHOW_NUMBER(thrd_sleep(&moment, 0));
  SHOW_NUMBER(thrd_sleep(&wrong, 0) < -1);
  SHOW_NUMBER(thrd_sleep(&negative, 0) < -1);
  return 0;
}
