// Programs that are explored in parts (tests/native_cubes_test.cpp): the first argument is the name of
// one of them. What each of its threads saw is its outcome.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "heddle/heddle.h"

typedef void* (*body)(void*);
static atomic_int x, y, z, flag;
static int saw[5];  // by thread: the argument of its function
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t s;
static long length;  // the second argument

// This thread has seen a small number.
static void see(void* thread, int value) {
  saw[(long)thread] = saw[(long)thread] * 8 + value;
}

static struct timespec in(long seconds) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_sec += seconds;
  return t;
}

// Memory.
static void* writes_x(void* p) { return x = 1, y = 1, p; }
static void* writes_more(void* p) { return x = 2, see(p, y), p; }
static void* reads_x(void* p) { return see(p, x), see(p, y + 2 * x), p; }
static void* adds(void* p) { return see(p, atomic_fetch_add(&x, 1)), see(p, y), p; }
static void* exchanges(void* p) {
  int expected = 1;
  see(p, atomic_compare_exchange_strong(&x, &expected, 5));
  y = 1;
  return p;
}

// Locks.
static void* locks_both(void* p) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
  see(p, x);
  x = 1;
  pthread_mutex_unlock(&n);
  pthread_mutex_unlock(&m);
  return p;
}
static void* locks_backwards(void* p) {
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&m);
  see(p, x);
  x = 2;
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&n);
  return p;
}
static void* tries(void* p) {
  if (pthread_mutex_trylock(&m) == 0) {
    see(p, 1 + x);
    pthread_mutex_unlock(&m);
  }
  return p;
}
static void* locks_m(void* p) {
  pthread_mutex_lock(&m);
  x = x + 1;
  pthread_mutex_unlock(&m);
  y = 1;
  return p;
}
static void* reads_locked(void* p) {
  pthread_rwlock_rdlock(&rw);
  see(p, x);
  pthread_rwlock_unlock(&rw);
  return p;
}
static void* writes_locked(void* p) {
  pthread_rwlock_wrlock(&rw);
  x = 3;
  pthread_rwlock_unlock(&rw);
  return p;
}

// Condition variables.
static void wait_for_flag(void* p, long seconds) {
  const struct timespec limit = in(seconds);
  pthread_mutex_lock(&m);
  int error = 0;
  while (!flag && error == 0)
    error = seconds == 0 ? pthread_cond_wait(&c, &m) : pthread_cond_timedwait(&c, &m, &limit);
  see(p, error == ETIMEDOUT ? 7 : 1 + x);
  pthread_mutex_unlock(&m);
}
static void* waits(void* p) { return wait_for_flag(p, 0), p; }
static void* waits_a_second(void* p) { return wait_for_flag(p, 1), p; }
static void* waits_two_seconds(void* p) { return wait_for_flag(p, 2), p; }
static void* signals(void* p) {
  pthread_mutex_lock(&m);
  flag = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return p;
}
static void* signals_twice(void* p) { return x = 1, pthread_cond_signal(&c), signals(p); }
// The first signal may come too early, and then the wait is in vain.
static void* waits_once(void* p) {
  const struct timespec limit = in(1);
  pthread_mutex_lock(&m);
  see(p, pthread_cond_timedwait(&c, &m, &limit) == 0);
  pthread_mutex_unlock(&m);
  x = 2;
  return p;
}

// Semaphores and barriers.
static void* sem_waits(void* p) { return sem_wait(&s), see(p, x), p; }
static void* sem_posts(void* p) { return x = 1, sem_post(&s), y = 1, p; }
static void* sem_tries(void* p) { return see(p, 1 + sem_trywait(&s)), p; }
static void* sem_waits_a_second(void* p) {
  const struct timespec limit = in(1);
  see(p, sem_timedwait(&s, &limit) == 0 ? 1 + x : 7);
  y = 2;
  return p;
}
static void* sem_waits_two_seconds(void* p) {
  const struct timespec limit = in(2);
  see(p, sem_timedwait(&s, &limit) == 0 ? 1 + x : 7);
  z = 1 + y;
  return p;
}
static void* arrives(void* p) { return x = 1, pthread_barrier_wait(&barrier), see(p, y), p; }
static void* arrives_too(void* p) {
  y = 1;
  if (pthread_barrier_wait(&barrier) != 0) see(p, 1);
  see(p, x);
  return p;
}

// Blocks and choices.
static void* swaps(void* p) {
  heddle_atomic_begin();
  const int old = x;
  x = y;
  y = old + 1;
  heddle_atomic_end();
  return p;
}
static void* sets_if(void* p) {
  heddle_atomic_begin();
  if (x == 1) y = 5;
  heddle_atomic_end();
  return p;
}
static void* chooses_in_block(void* p) {
  heddle_atomic_begin();
  if (x == 1)
    y = 5 + (int)heddle_choose(2);
  else if (heddle_choose(2))
    x = 7;
  heddle_atomic_end();
  return p;
}
static void* chooses(void* p) {
  if (heddle_choose(2)) x = 4;
  see(p, y);
  return p;
}
static void* assumes(void* p) {
  const int now = x;
  heddle_assume(now != 2);
  see(p, 1 + now);
  y = 1;
  return p;
}

// Loops that wait.
static void* spins(void* p) {
  while (!flag) {
  }
  see(p, 1 + x);
  y = 1;
  return p;
}
static void* posts_and_spins(void* p) {
  sem_post(&s);
  while (!y) {
  }
  return p;
}
static void* sets_flag(void* p) { return x = 1, flag = 1, p; }
static void* sets_flag_after_y(void* p) {
  while (!y) sched_yield();
  flag = 1;
  return p;
}
static void* spins_a_while(void* p) {
  for (int k = 0; k < 100; ++k)
    if (flag) return see(p, 1), p;
  see(p, 2);
  x = 2;
  return p;
}
static void* spins_with_lock(void* p) {
  for (int done = 0; !done;) {
    pthread_mutex_lock(&m);
    done = flag;
    pthread_mutex_unlock(&m);
  }
  see(p, 1);
  return p;
}
static void* tries_until_it_gets_it(void* p) {
  while (pthread_mutex_trylock(&m) != 0) {
  }
  see(p, x);
  x = 1;
  pthread_mutex_unlock(&m);
  return p;
}

// Time.
static void* sleeps(void* p) { return sleep(1), see(p, 1 + x), y = 1, p; }
static void* polls_the_clock(void* p) {
  const struct timespec limit = in(5);
  for (struct timespec now = in(0); now.tv_sec < limit.tv_sec && !flag;)
    clock_gettime(CLOCK_REALTIME, &now);
  see(p, flag ? 1 : 7);
  y = 2;
  return p;
}

// Threads that create threads.
static void* child(void* p) { return see(p, 1 + x), y = 2, p; }
static void* creates_if(void* p) {
  pthread_t t;
  if (x != 1) return p;
  pthread_create(&t, 0, child, (void*)3L);
  see(p, 1 + y);
  pthread_join(t, 0);
  return p;
}
static void* creates(void* p) {
  pthread_t t[2];
  for (int k = 0; k < 2; ++k) pthread_create(&t[k], 0, k == 0 ? child : adds, (void*)(3L + k));
  see(p, y);
  for (int k = 0; k < 2; ++k) pthread_join(t[k], 0);
  return p;
}

// Ends.
static void* fails(void* p) { return heddle_assert(x == 0), y = 1, p; }
static void* exits(void* p) {
  if (x == 1) exit(3);
  return y = 1, p;
}
static void* counts(void* p) {
  for (long k = 0; k < length; ++k) atomic_fetch_add(&z, 1);
  sem_post(&s);
  return p;
}
static void unlock_m(void* p) { pthread_mutex_unlock(p); }
static void* waits_to_be_cancelled(void* p) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push(unlock_m, &m);
  while (!flag) pthread_cond_wait(&c, &m);
  see(p, 1);
  pthread_cleanup_pop(1);
  return p;
}
static void handler(int number) { y = number == SIGUSR1 ? 3 : 4; }
static void* raises(void* p) { return see(p, x), raise(SIGUSR1), see(p, x), p; }

static pthread_t started[3];
static void start(body a, body b, body d) {
  const body all[] = {a, b, d};
  for (int k = 0; k < 3; ++k)
    if (all[k]) pthread_create(&started[k], 0, all[k], (void*)(long)k);
}
static void end(body a, body b, body d) {
  const body all[] = {a, b, d};
  for (int k = 0; k < 3; ++k)
    if (all[k]) pthread_join(started[k], 0);
  unsigned long long out = 0;
  for (int k = 0; k < 5; ++k) out = out * 64 + (unsigned)saw[k];
  heddle_outcome(out * 256 + (unsigned)x * 16 + (unsigned)y);
}

enum kind { plain, cancelling, signalling, setting, returning, exiting };
static const struct program {
  const char* name;
  body threads[3];
  enum kind kind;
} programs[] = {
    {"memory", {writes_x, writes_more, reads_x}},
    {"updates", {adds, exchanges, reads_x}},
    {"locks", {locks_both, locks_backwards, tries}},
    {"try-locks", {tries, locks_m, exchanges}},
    {"readers and writers", {reads_locked, writes_locked, reads_locked}},
    {"condition", {waits, signals, reads_x}},
    {"condition with a limit", {waits_a_second, signals_twice, 0}},
    {"condition that may be missed", {waits_once, signals_twice, adds}},
    {"two limits", {waits_a_second, waits_two_seconds, writes_x}},
    {"limits that end together", {waits_a_second, waits_a_second, writes_x}},
    {"semaphore", {sem_waits, sem_posts, sem_tries}},
    {"semaphore with limits", {sem_waits_a_second, sem_waits_two_seconds, sem_posts}},
    {"semaphore that is not posted", {sem_waits_a_second, sem_waits_two_seconds, adds}},
    {"limits and a loop", {sem_waits_a_second, waits_a_second, posts_and_spins}, setting},
    {"barrier", {arrives, arrives_too, writes_x}},
    {"blocks", {swaps, sets_if, adds}},
    {"blocks that choose", {chooses_in_block, writes_x, chooses}},
    {"choices", {chooses, chooses, writes_x}},
    {"assumption", {assumes, adds, writes_more}},
    {"spinning", {spins, sets_flag, adds}},
    {"spinning for each other", {spins, sets_flag_after_y, writes_x}},
    {"spinning for a while", {spins_a_while, sets_flag, 0}},
    {"spinning with a lock", {spins_with_lock, sets_flag, locks_m}},
    {"spinning for a lock", {tries_until_it_gets_it, locks_m, tries}},
    {"spinning for ever", {spins, adds, reads_x}},
    {"sleeping", {sleeps, writes_x, sem_waits_a_second}},
    {"polling", {polls_the_clock, sets_flag, 0}},
    {"polling in vain", {polls_the_clock, sleeps, writes_x}},
    {"child in some runs", {creates_if, writes_more, writes_x}},
    {"children", {creates, writes_x, 0}},
    {"assertion", {fails, writes_x, adds}},
    {"exit", {exits, writes_x, reads_x}},
    {"exit while others run", {adds, writes_x, reads_x}, exiting},
    {"main returns", {adds, spins, reads_x}, returning},
    {"main returns and a thread counts", {counts, sem_waits, 0}, returning},
    {"counting", {counts, sem_waits, 0}},
    {"cancellation", {waits_to_be_cancelled, signals, 0}, cancelling},
    {"signal", {raises, writes_x, 0}, signalling},
};

int main(int argc, char** argv) {
  sem_init(&s, 0, 0);
  pthread_barrier_init(&barrier, 0, 2);
  if (argc > 2) length = atol(argv[2]);
  for (unsigned k = 0; k < sizeof programs / sizeof *programs; ++k) {
    const struct program* p = &programs[k];
    if (argc < 2 || strcmp(argv[1], p->name) != 0) continue;
    if (p->kind == signalling) signal(SIGUSR1, handler);
    start(p->threads[0], p->threads[1], p->threads[2]);
    if (p->kind == cancelling) pthread_cancel(started[0]);
    if (p->kind == setting) y = 1;
    if (p->kind == returning) return x = 3, 0;
    if (p->kind == exiting) exit((x = 3, 0));
    end(p->threads[0], p->threads[1], p->threads[2]);
    return 0;
  }
  return 99;
}
