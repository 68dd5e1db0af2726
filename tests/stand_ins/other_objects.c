// Spinlocks, barriers and initialisation that happens once.
#include <pthread.h>
#include <threads.h>

#include "show.h"

static int times;
static void count(void) { ++times; }

int main(void) {
  pthread_spinlock_t s;
  SHOW_ERROR(pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE));
  SHOW_ERROR(pthread_spin_lock(&s));
  SHOW_ERROR(pthread_spin_trylock(&s));
  SHOW_ERROR(pthread_spin_unlock(&s));
  SHOW_ERROR(pthread_spin_trylock(&s));
  SHOW_ERROR(pthread_spin_unlock(&s));
  SHOW_ERROR(pthread_spin_destroy(&s));
  SHOW_ERROR(pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE));
  SHOW_ERROR(pthread_spin_lock(&s));
  SHOW_ERROR(pthread_spin_unlock(&s));

  pthread_barrier_t b;
  SHOW_ERROR(pthread_barrier_init(&b, 0, 0));
  SHOW_ERROR(pthread_barrier_init(&b, 0, 1));
  SHOW_NUMBER(pthread_barrier_wait(&b));
  SHOW_NUMBER(pthread_barrier_wait(&b));
  SHOW_ERROR(pthread_barrier_destroy(&b));
  SHOW_ERROR(pthread_barrier_init(&b, 0, 1));
  SHOW_NUMBER(pthread_barrier_wait(&b));
  SHOW_ERROR(pthread_barrier_init(&b, 0, 0x80000000U));

  pthread_once_t once = PTHREAD_ONCE_INIT;
  once_flag flag = ONCE_FLAG_INIT;
  for (int k = 0; k < 3; ++k) {
    SHOW_ERROR(pthread_once(&once, count));
    call_once(&flag, count);
    SHOW_NUMBER(times);
  }
  return 0;
}
