#define _GNU_SOURCE
#include <heddle/heddle.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static int bound = 3, meeting;
#define MEETING meeting
#define LOAD(p) __atomic_load_n(p, __ATOMIC_SEQ_CST)
#define STORE(p, value) __atomic_store_n(p, value, __ATOMIC_SEQ_CST)
#define EXCHANGE(p, value) __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST)
#define ADD(p, value) __atomic_fetch_add(p, value, __ATOMIC_SEQ_CST)
#define CAS(p, old, value) \
  __atomic_compare_exchange_n(p, old, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#ifdef BOUND
static __attribute__((noinline)) void next_round(int *rounds) {
  if (++*rounds > BOUND) heddle_assume(0);
}
#define WAITS int rounds = 0;
#define ROUND next_round(&rounds);
#else
#define WAITS
#define ROUND
#endif
static struct timespec *soon(struct timespec *limit) {
  clock_gettime(CLOCK_REALTIME, limit);
  limit->tv_sec += 1;
  return limit;
}
static uint64_t add(uint64_t seen, uint64_t what) { return seen * 1009 + what; }
static uint64_t words(uint64_t seen, const void *at, size_t size) {
  for (size_t n = 0; n < size / 4; ++n) seen = seen * 1009 + ((const unsigned *)at)[n];
  return seen;
}
static uint64_t bytes(uint64_t seen, const void *at, size_t size) {
  for (size_t n = 0; n < size; ++n) seen = seen * 1009 + ((const unsigned char *)at)[n];
  return seen;
}
static uint64_t words_atomically(uint64_t seen, unsigned *at, size_t size) {
  for (size_t n = 0; n < size / 4; ++n)
    seen = seen * 1009 + __atomic_load_n(at + n, __ATOMIC_SEQ_CST);
  return seen;
}
static const char zeros[16] = {0};
static struct Atoms { int x[2]; } atoms;
static union Wide {
  unsigned __int128 all;
  unsigned long u8[2];
  unsigned u4[4];
  unsigned short u2[8];
  unsigned char u1[16];
} wide;
static inline union Wide halves(int low, int high) {
  union Wide made;
  made.u8[0] = (unsigned long)low;
  made.u8[1] = (unsigned long)high;
  return made;
}
static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static struct Data_mutex { int x[2]; } mutex_data;
static pthread_mutex_t recursive[2] = {PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};
static struct Data_recursive { int x[2]; } recursive_data;
static pthread_mutex_t checking[2] = {PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP, PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP};
static struct Data_checking { int x[2]; } checking_data;
static pthread_rwlock_t rwlock[2] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};
static struct Data_rwlock { int x[2]; } rwlock_data;
static pthread_spinlock_t spinlock[2];
static struct Data_spinlock { int x[2]; } spinlock_data;
static char flag[2];
static struct Data_flag { int x[2]; } flag_data;
static sem_t turn[2];
static struct Data_turn { int x[2]; } turn_data;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct Runs { int n; } once_runs;
static void run_once(void) { once_runs.n++; }
static __thread int own;
static pthread_key_t key;
static int *node;
static struct Text { char s[16]; } text;
static struct Exits { int order; } exits;
static void exit_0(void) { exits.order = exits.order * 4 + 1; }
static void exit_1(void) { exits.order = exits.order * 4 + 2; }
static void *count_up(void *to) {
  ADD((int *)to, 1);
  return 0;
}
static unsigned load(int k, int v, int w) {
  return (unsigned)LOAD(&atoms.x[k]);
}
static unsigned store(int k, int v, int w) {
  STORE(&atoms.x[k], v);
  return 0;
}
static unsigned exchange(int k, int v, int w) {
  return (unsigned)EXCHANGE(&atoms.x[k], v);
}
static unsigned exchange_unseen(int k, int v, int w) {
  EXCHANGE(&atoms.x[k], v);
  return 0;
}
static unsigned increment(int k, int v, int w) {
  return (unsigned)ADD(&atoms.x[k], 1);
}
static unsigned increment_unseen(int k, int v, int w) {
  ADD(&atoms.x[k], 1);
  return 0;
}
static unsigned or_with(int k, int v, int w) {
  return (unsigned)__atomic_fetch_or(&atoms.x[k], v, __ATOMIC_ACQ_REL);
}
static unsigned swap_if(int k, int v, int w) {
  int old = w;
  int done = CAS(&atoms.x[k], &old, v);
  return (unsigned)(done * 4 + old);
}
static unsigned swap_if_unseen(int k, int v, int w) {
  int old = w;
  CAS(&atoms.x[k], &old, v);
  return 0;
}
static unsigned load_relaxed(int k, int v, int w) {
  return (unsigned)__atomic_load_n(&atoms.x[k], __ATOMIC_RELAXED);
}
static unsigned store_relaxed(int k, int v, int w) {
  __atomic_store_n(&atoms.x[k], v, __ATOMIC_RELAXED);
  return 0;
}
static unsigned store_if(int k, int v, int w) {
  if (LOAD(&atoms.x[k]) == w) STORE(&atoms.x[1 - k], v);
  return 0;
}
static unsigned load_at(int k, int v, int w) {
  return (unsigned)LOAD(&atoms.x[LOAD(&atoms.x[k]) & 1]);
}
static unsigned add_both_in_block(int k, int v, int w) {
  heddle_atomic_begin();
  atoms.x[0] += 1;
  atoms.x[1] += v;
  heddle_atomic_end();
  return 0;
}
static unsigned choose(int k, int v, int w) {
  STORE(&atoms.x[k], (int)heddle_choose(2));
  return 0;
}
static unsigned choose_in_block(int k, int v, int w) {
  heddle_atomic_begin();
  unsigned n = heddle_choose(2);
  if (n || LOAD(&atoms.x[1 - k])) n += 2 * heddle_choose(2);
  atoms.x[k] += (int)n;
  heddle_atomic_end();
  return n;
}
static unsigned load16(int k, int v, int w) {
  union Wide now;
  now.all = LOAD(&wide.all);
  return now.u4[0] + 4 * now.u4[2];
}
static unsigned store16(int k, int v, int w) {
  STORE(&wide.all, halves(v, w).all);
  return 0;
}
static unsigned exchange16(int k, int v, int w) {
  union Wide old;
  old.all = EXCHANGE(&wide.all, halves(v, w).all);
  return old.u4[0] + 4 * old.u4[2];
}
static unsigned swap16_if(int k, int v, int w) {
  union Wide old = halves(k, w);
  int done = CAS(&wide.all, &old.all, halves(v, w).all);
  return old.u4[0] + 4 * old.u4[2] + 64U * (unsigned)done;
}
static unsigned load8(int k, int v, int w) {
  return (unsigned)LOAD(&wide.u8[k]);
}
static unsigned store8(int k, int v, int w) {
  STORE(&wide.u8[k], (unsigned long)v);
  return 0;
}
static unsigned swap8_if(int k, int v, int w) {
  unsigned long old = (unsigned long)w;
  int done = CAS(&wide.u8[k], &old, (unsigned long)v);
  return (unsigned)old + 64U * (unsigned)done;
}
static unsigned load4(int k, int v, int w) {
  return LOAD(&wide.u4[w]);
}
static unsigned store4(int k, int v, int w) {
  STORE(&wide.u4[w], (unsigned)v);
  return 0;
}
static unsigned add4(int k, int v, int w) {
  return ADD(&wide.u4[2 * k], 1);
}
static unsigned load2(int k, int v, int w) {
  return LOAD(&wide.u2[4 * k + w]);
}
static unsigned store2(int k, int v, int w) {
  STORE(&wide.u2[4 * k + w], (unsigned short)v);
  return 0;
}
static unsigned load1(int k, int v, int w) {
  return LOAD(&wide.u1[8 * k + w]);
}
static unsigned store1(int k, int v, int w) {
  STORE(&wide.u1[8 * k + w], (unsigned char)v);
  return 0;
}
static unsigned exchange1(int k, int v, int w) {
  return EXCHANGE(&wide.u1[8 * k], (unsigned char)v);
}
static unsigned go(int k, int v, int w) {
  STORE(&atoms.x[1 - k], 1);
  return 0;
}
static unsigned mutex_set(int k, int v, int w) {
  pthread_mutex_lock(&mutex[k]);
  mutex_data.x[k] = v;
  pthread_mutex_unlock(&mutex[k]);
  return 0;
}
static unsigned mutex_look(int k, int v, int w) {
  pthread_mutex_lock(&mutex[k]);
  unsigned seen = (unsigned)mutex_data.x[k];
  pthread_mutex_unlock(&mutex[k]);
  return seen;
}
static unsigned mutex_count(int k, int v, int w) {
  pthread_mutex_lock(&mutex[k]);
  unsigned seen = (unsigned)mutex_data.x[k]++;
  pthread_mutex_unlock(&mutex[k]);
  return seen;
}
static unsigned mutex_try(int k, int v, int w) {
  if (!(pthread_mutex_trylock(&mutex[k]) == 0)) return 9;
  unsigned seen = (unsigned)mutex_data.x[k];
  pthread_mutex_unlock(&mutex[k]);
  return seen;
}
static unsigned mutex_pass(int k, int v, int w) {
  pthread_mutex_lock(&mutex[k]);
  pthread_mutex_unlock(&mutex[k]);
  return 0;
}
static unsigned mutex_tries(int k, int v, int w) {
  unsigned failed = 0;
  for (int n = 0; n <= v; ++n) {
    if (pthread_mutex_trylock(&mutex[k]) == 0) {
      pthread_mutex_unlock(&mutex[k]);
    } else {
      ++failed;
    }
    if (w) {
      pthread_mutex_lock(&mutex[k]);
      pthread_mutex_unlock(&mutex[k]);
    }
  }
  return failed;
}
static unsigned mutex_copy(int k, int v, int w) {
  int copy;
  pthread_mutex_lock(&mutex[k]);
  memcpy(&copy, &mutex_data.x[k], sizeof copy);
  pthread_mutex_unlock(&mutex[k]);
  return (unsigned)copy;
}
static unsigned mutex_open(int k, int v, int w) {
  pthread_mutex_lock(&mutex[k]);
  return 0;
}
static unsigned mutex_close(int k, int v, int w) {
  pthread_mutex_unlock(&mutex[k]);
  return 0;
}
static unsigned mutex_check_round(int k, int v, int w) {
  int seen;
  WAITS
  do {
    ROUND
    pthread_mutex_lock(&mutex[k]);
    seen = mutex_data.x[k];
    pthread_mutex_unlock(&mutex[k]);
  } while (seen != v);
  return 0;
}
static unsigned mutex_check_inside(int k, int v, int w) {
  WAITS
  for (;;) {
    ROUND
    pthread_mutex_lock(&mutex[k]);
    if (mutex_data.x[k] == v) {
      mutex_data.x[k] = w;
      pthread_mutex_unlock(&mutex[k]);
      return 1;
    }
    pthread_mutex_unlock(&mutex[k]);
    sched_yield();
  }
}
static unsigned mutex_try_round(int k, int v, int w) {
  WAITS
  while (!(pthread_mutex_trylock(&mutex[k]) == 0)) {
    ROUND
  }
  unsigned seen = (unsigned)mutex_data.x[k]++;
  pthread_mutex_unlock(&mutex[k]);
  return seen;
}
static unsigned mutex_try_check(int k, int v, int w) {
  WAITS
  for (;;) {
    ROUND
    if (pthread_mutex_trylock(&mutex[k]) == 0) {
      int seen = mutex_data.x[k];
      pthread_mutex_unlock(&mutex[k]);
      if (seen == v) break;
    }
  }
  return 0;
}
static unsigned mutex_lend_round(int k, int v, int w) {
  WAITS
  pthread_mutex_lock(&mutex[k]);
  while (mutex_data.x[k] != v) {
    ROUND
    pthread_mutex_unlock(&mutex[k]);
    pthread_mutex_lock(&mutex[k]);
  }
  mutex_data.x[k] = w;
  pthread_mutex_unlock(&mutex[k]);
  return 0;
}
static unsigned mutex_lend_usleep(int k, int v, int w) {
  WAITS
  pthread_mutex_lock(&mutex[k]);
  while (mutex_data.x[k] != v) {
    ROUND
    pthread_mutex_unlock(&mutex[k]);
    usleep(1);
    pthread_mutex_lock(&mutex[k]);
  }
  pthread_mutex_unlock(&mutex[k]);
  return 0;
}
static unsigned mutex_update_pass(int k, int v, int w) {
  WAITS
  do {
    ROUND
    EXCHANGE(&atoms.x[k], v);
    pthread_mutex_lock(&mutex[k]);
    pthread_mutex_unlock(&mutex[k]);
  } while (!LOAD(&atoms.x[1 - k]));
  return 0;
}
static unsigned mutex_or_pass(int k, int v, int w) {
  WAITS
  do {
    ROUND
    __atomic_fetch_or(&atoms.x[k], v, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&mutex[k]);
    int seen = mutex_data.x[k];
    pthread_mutex_unlock(&mutex[k]);
    if (seen) break;
  } while (!LOAD(&atoms.x[1 - k]));
  return 0;
}
static unsigned mutex_in_time(int k, int v, int w) {
  struct timespec limit;
  if (!(pthread_mutex_timedlock(&mutex[k], soon(&limit)) == 0)) return 8;
  unsigned seen = (unsigned)mutex_data.x[k];
  mutex_data.x[k] = v;
  pthread_mutex_unlock(&mutex[k]);
  return seen;
}
static unsigned recursive_set(int k, int v, int w) {
  pthread_mutex_lock(&recursive[k]);
  recursive_data.x[k] = v;
  pthread_mutex_unlock(&recursive[k]);
  return 0;
}
static unsigned recursive_look(int k, int v, int w) {
  pthread_mutex_lock(&recursive[k]);
  unsigned seen = (unsigned)recursive_data.x[k];
  pthread_mutex_unlock(&recursive[k]);
  return seen;
}
static unsigned recursive_count(int k, int v, int w) {
  pthread_mutex_lock(&recursive[k]);
  unsigned seen = (unsigned)recursive_data.x[k]++;
  pthread_mutex_unlock(&recursive[k]);
  return seen;
}
static unsigned recursive_try(int k, int v, int w) {
  if (!(pthread_mutex_trylock(&recursive[k]) == 0)) return 9;
  unsigned seen = (unsigned)recursive_data.x[k];
  pthread_mutex_unlock(&recursive[k]);
  return seen;
}
static unsigned recursive_pass(int k, int v, int w) {
  pthread_mutex_lock(&recursive[k]);
  pthread_mutex_unlock(&recursive[k]);
  return 0;
}
static unsigned recursive_tries(int k, int v, int w) {
  unsigned failed = 0;
  for (int n = 0; n <= v; ++n) {
    if (pthread_mutex_trylock(&recursive[k]) == 0) {
      pthread_mutex_unlock(&recursive[k]);
    } else {
      ++failed;
    }
    if (w) {
      pthread_mutex_lock(&recursive[k]);
      pthread_mutex_unlock(&recursive[k]);
    }
  }
  return failed;
}
static unsigned recursive_copy(int k, int v, int w) {
  int copy;
  pthread_mutex_lock(&recursive[k]);
  memcpy(&copy, &recursive_data.x[k], sizeof copy);
  pthread_mutex_unlock(&recursive[k]);
  return (unsigned)copy;
}
static unsigned recursive_open(int k, int v, int w) {
  pthread_mutex_lock(&recursive[k]);
  return 0;
}
static unsigned recursive_close(int k, int v, int w) {
  pthread_mutex_unlock(&recursive[k]);
  return 0;
}
static unsigned recursive_check_round(int k, int v, int w) {
  int seen;
  WAITS
  do {
    ROUND
    pthread_mutex_lock(&recursive[k]);
    seen = recursive_data.x[k];
    pthread_mutex_unlock(&recursive[k]);
  } while (seen != v);
  return 0;
}
static unsigned recursive_check_inside(int k, int v, int w) {
  WAITS
  for (;;) {
    ROUND
    pthread_mutex_lock(&recursive[k]);
    if (recursive_data.x[k] == v) {
      recursive_data.x[k] = w;
      pthread_mutex_unlock(&recursive[k]);
      return 1;
    }
    pthread_mutex_unlock(&recursive[k]);
    sched_yield();
  }
}
static unsigned recursive_try_round(int k, int v, int w) {
  WAITS
  while (!(pthread_mutex_trylock(&recursive[k]) == 0)) {
    ROUND
  }
  unsigned seen = (unsigned)recursive_data.x[k]++;
  pthread_mutex_unlock(&recursive[k]);
  return seen;
}
static unsigned recursive_try_check(int k, int v, int w) {
  WAITS
  for (;;) {
    ROUND
    if (pthread_mutex_trylock(&recursive[k]) == 0) {
      int seen = recursive_data.x[k];
      pthread_mutex_unlock(&recursive[k]);
      if (seen == v) break;
    }
  }
  return 0;
}
static unsigned recursive_lend_round(int k, int v, int w) {
  WAITS
  pthread_mutex_lock(&recursive[k]);
  while (recursive_data.x[k] != v) {
    ROUND
    pthread_mutex_unlock(&recursive[k]);
    pthread_mutex_lock(&recursive[k]);
  }
  recursive_data.x[k] = w;
  pthread_mutex_unlock(&recursive[k]);
  return 0;
}
static unsigned recursive_lend_usleep(int k, int v, int w) {
  WAITS
  pthread_mutex_lock(&recursive[k]);
  while (recursive_data.x[k] != v) {
    ROUND
    pthread_mutex_unlock(&recursive[k]);
    usleep(1);
    pthread_mutex_lock(&recursive[k]);
  }
  pthread_mutex_unlock(&recursive[k]);
  return 0;
}
static unsigned recursive_update_pass(int k, int v, int w) {
  WAITS
  do {
    ROUND
    EXCHANGE(&atoms.x[k], v);
    pthread_mutex_lock(&recursive[k]);
    pthread_mutex_unlock(&recursive[k]);
  } while (!LOAD(&atoms.x[1 - k]));
  return 0;
}
static unsigned recursive_or_pass(int k, int v, int w) {
  WAITS
  do {
    ROUND
    __atomic_fetch_or(&atoms.x[k], v, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&recursive[k]);
    int seen = recursive_data.x[k];
    pthread_mutex_unlock(&recursive[k]);
    if (seen) break;
  } while (!LOAD(&atoms.x[1 - k]));
  return 0;
}
static unsigned recursive_in_time(int k, int v, int w) {
  struct timespec limit;
  if (!(pthread_mutex_timedlock(&recursive[k], soon(&limit)) == 0)) return 8;
  unsigned seen = (unsigned)recursive_data.x[k];
  recursive_data.x[k] = v;
  pthread_mutex_unlock(&recursive[k]);
  return seen;
}
static unsigned checking_set(int k, int v, int w) {
  pthread_mutex_lock(&checking[k]);
  checking_data.x[k] = v;
  pthread_mutex_unlock(&checking[k]);
  return 0;
}
static unsigned checking_look(int k, int v, int w) {
  pthread_mutex_lock(&checking[k]);
  unsigned seen = (unsigned)checking_data.x[k];
  pthread_mutex_unlock(&checking[k]);
  return seen;
}
static unsigned checking_count(int k, int v, int w) {
  pthread_mutex_lock(&checking[k]);
  unsigned seen = (unsigned)checking_data.x[k]++;
  pthread_mutex_unlock(&checking[k]);
  return seen;
}
static unsigned checking_try(int k, int v, int w) {
  if (!(pthread_mutex_trylock(&checking[k]) == 0)) return 9;
  unsigned seen = (unsigned)checking_data.x[k];
  pthread_mutex_unlock(&checking[k]);
  return seen;
}
static unsigned checking_pass(int k, int v, int w) {
  pthread_mutex_lock(&checking[k]);
  pthread_mutex_unlock(&checking[k]);
  return 0;
}
static unsigned checking_tries(int k, int v, int w) {
  unsigned failed = 0;
  for (int n = 0; n <= v; ++n) {
    if (pthread_mutex_trylock(&checking[k]) == 0) {
      pthread_mutex_unlock(&checking[k]);
    } else {
      ++failed;
    }
    if (w) {
      pthread_mutex_lock(&checking[k]);
      pthread_mutex_unlock(&checking[k]);
    }
  }
  return failed;
}
static unsigned checking_copy(int k, int v, int w) {
  int copy;
  pthread_mutex_lock(&checking[k]);
  memcpy(&copy, &checking_data.x[k], sizeof copy);
  pthread_mutex_unlock(&checking[k]);
  return (unsigned)copy;
}
static unsigned checking_open(int k, int v, int w) {
  pthread_mutex_lock(&checking[k]);
  return 0;
}
static unsigned checking_close(int k, int v, int w) {
  pthread_mutex_unlock(&checking[k]);
  return 0;
}
static unsigned checking_check_round(int k, int v, int w) {
  int seen;
  WAITS
  do {
    ROUND
    pthread_mutex_lock(&checking[k]);
    seen = checking_data.x[k];
    pthread_mutex_unlock(&checking[k]);
  } while (seen != v);
  return 0;
}
static unsigned checking_check_inside(int k, int v, int w) {
  WAITS
  for (;;) {
    ROUND
    pthread_mutex_lock(&checking[k]);
    if (checking_data.x[k] == v) {
      checking_data.x[k] = w;
      pthread_mutex_unlock(&checking[k]);
      return 1;
    }
    pthread_mutex_unlock(&checking[k]);
    sched_yield();
  }
}
static unsigned checking_try_round(int k, int v, int w) {
  WAITS
  while (!(pthread_mutex_trylock(&checking[k]) == 0)) {
    ROUND
  }
  unsigned seen = (unsigned)checking_data.x[k]++;
  pthread_mutex_unlock(&checking[k]);
  return seen;
}
static unsigned checking_try_check(int k, int v, int w) {
  WAITS
  for (;;) {
    ROUND
    if (pthread_mutex_trylock(&checking[k]) == 0) {
      int seen = checking_data.x[k];
      pthread_mutex_unlock(&checking[k]);
      if (seen == v) break;
    }
  }
  return 0;
}
static unsigned checking_lend_round(int k, int v, int w) {
  WAITS
  pthread_mutex_lock(&checking[k]);
  while (checking_data.x[k] != v) {
    ROUND
    pthread_mutex_unlock(&checking[k]);
    pthread_mutex_lock(&checking[k]);
  }
  checking_data.x[k] = w;
  pthread_mutex_unlock(&checking[k]);
  return 0;
}
static unsigned checking_lend_usleep(int k, int v, int w) {
  WAITS
  pthread_mutex_lock(&checking[k]);
  while (checking_data.x[k] != v) {
    ROUND
    pthread_mutex_unlock(&checking[k]);
    usleep(1);
    pthread_mutex_lock(&checking[k]);
  }
  pthread_mutex_unlock(&checking[k]);
  return 0;
}
static unsigned checking_update_pass(int k, int v, int w) {
  WAITS
  do {
    ROUND
    EXCHANGE(&atoms.x[k], v);
    pthread_mutex_lock(&checking[k]);
    pthread_mutex_unlock(&checking[k]);
  } while (!LOAD(&atoms.x[1 - k]));
  return 0;
}
static unsigned checking_or_pass(int k, int v, int w) {
  WAITS
  do {
    ROUND
    __atomic_fetch_or(&atoms.x[k], v, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&checking[k]);
    int seen = checking_data.x[k];
    pthread_mutex_unlock(&checking[k]);
    if (seen) break;
  } while (!LOAD(&atoms.x[1 - k]));
  return 0;
}
static unsigned checking_in_time(int k, int v, int w) {
  struct timespec limit;
  if (!(pthread_mutex_timedlock(&checking[k], soon(&limit)) == 0)) return 8;
  unsigned seen = (unsigned)checking_data.x[k];
  checking_data.x[k] = v;
  pthread_mutex_unlock(&checking[k]);
  return seen;
}
static unsigned rwlock_set(int k, int v, int w) {
  pthread_rwlock_wrlock(&rwlock[k]);
  rwlock_data.x[k] = v;
  pthread_rwlock_unlock(&rwlock[k]);
  return 0;
}
static unsigned rwlock_look(int k, int v, int w) {
  pthread_rwlock_wrlock(&rwlock[k]);
  unsigned seen = (unsigned)rwlock_data.x[k];
  pthread_rwlock_unlock(&rwlock[k]);
  return seen;
}
static unsigned rwlock_count(int k, int v, int w) {
  pthread_rwlock_wrlock(&rwlock[k]);
  unsigned seen = (unsigned)rwlock_data.x[k]++;
  pthread_rwlock_unlock(&rwlock[k]);
  return seen;
}
static unsigned rwlock_try(int k, int v, int w) {
  if (!(pthread_rwlock_trywrlock(&rwlock[k]) == 0)) return 9;
  unsigned seen = (unsigned)rwlock_data.x[k];
  pthread_rwlock_unlock(&rwlock[k]);
  return seen;
}
static unsigned rwlock_pass(int k, int v, int w) {
  pthread_rwlock_wrlock(&rwlock[k]);
  pthread_rwlock_unlock(&rwlock[k]);
  return 0;
}
static unsigned rwlock_tries(int k, int v, int w) {
  unsigned failed = 0;
  for (int n = 0; n <= v; ++n) {
    if (pthread_rwlock_trywrlock(&rwlock[k]) == 0) {
      pthread_rwlock_unlock(&rwlock[k]);
    } else {
      ++failed;
    }
    if (w) {
      pthread_rwlock_wrlock(&rwlock[k]);
      pthread_rwlock_unlock(&rwlock[k]);
    }
  }
  return failed;
}
static unsigned rwlock_copy(int k, int v, int w) {
  int copy;
  pthread_rwlock_wrlock(&rwlock[k]);
  memcpy(&copy, &rwlock_data.x[k], sizeof copy);
  pthread_rwlock_unlock(&rwlock[k]);
  return (unsigned)copy;
}
static unsigned rwlock_open(int k, int v, int w) {
  pthread_rwlock_wrlock(&rwlock[k]);
  return 0;
}
static unsigned rwlock_close(int k, int v, int w) {
  pthread_rwlock_unlock(&rwlock[k]);
  return 0;
}
static unsigned rwlock_check_round(int k, int v, int w) {
  int seen;
  WAITS
  do {
    ROUND
    pthread_rwlock_wrlock(&rwlock[k]);
    seen = rwlock_data.x[k];
    pthread_rwlock_unlock(&rwlock[k]);
  } while (seen != v);
  return 0;
}
static unsigned rwlock_check_inside(int k, int v, int w) {
  WAITS
  for (;;) {
    ROUND
    pthread_rwlock_wrlock(&rwlock[k]);
    if (rwlock_data.x[k] == v) {
      rwlock_data.x[k] = w;
      pthread_rwlock_unlock(&rwlock[k]);
      return 1;
    }
    pthread_rwlock_unlock(&rwlock[k]);
    sched_yield();
  }
}
static unsigned rwlock_try_round(int k, int v, int w) {
  WAITS
  while (!(pthread_rwlock_trywrlock(&rwlock[k]) == 0)) {
    ROUND
  }
  unsigned seen = (unsigned)rwlock_data.x[k]++;
  pthread_rwlock_unlock(&rwlock[k]);
  return seen;
}
static unsigned rwlock_try_check(int k, int v, int w) {
  WAITS
  for (;;) {
    ROUND
    if (pthread_rwlock_trywrlock(&rwlock[k]) == 0) {
      int seen = rwlock_data.x[k];
      pthread_rwlock_unlock(&rwlock[k]);
      if (seen == v) break;
    }
  }
  return 0;
}
static unsigned rwlock_lend_round(int k, int v, int w) {
  WAITS
  pthread_rwlock_wrlock(&rwlock[k]);
  while (rwlock_data.x[k] != v) {
    ROUND
    pthread_rwlock_unlock(&rwlock[k]);
    pthread_rwlock_wrlock(&rwlock[k]);
  }
  rwlock_data.x[k] = w;
  pthread_rwlock_unlock(&rwlock[k]);
  return 0;
}
static unsigned rwlock_lend_usleep(int k, int v, int w) {
  WAITS
  pthread_rwlock_wrlock(&rwlock[k]);
  while (rwlock_data.x[k] != v) {
    ROUND
    pthread_rwlock_unlock(&rwlock[k]);
    usleep(1);
    pthread_rwlock_wrlock(&rwlock[k]);
  }
  pthread_rwlock_unlock(&rwlock[k]);
  return 0;
}
static unsigned rwlock_update_pass(int k, int v, int w) {
  WAITS
  do {
    ROUND
    EXCHANGE(&atoms.x[k], v);
    pthread_rwlock_wrlock(&rwlock[k]);
    pthread_rwlock_unlock(&rwlock[k]);
  } while (!LOAD(&atoms.x[1 - k]));
  return 0;
}
static unsigned rwlock_or_pass(int k, int v, int w) {
  WAITS
  do {
    ROUND
    __atomic_fetch_or(&atoms.x[k], v, __ATOMIC_SEQ_CST);
    pthread_rwlock_wrlock(&rwlock[k]);
    int seen = rwlock_data.x[k];
    pthread_rwlock_unlock(&rwlock[k]);
    if (seen) break;
  } while (!LOAD(&atoms.x[1 - k]));
  return 0;
}
static unsigned rwlock_in_time(int k, int v, int w) {
  struct timespec limit;
  if (!(pthread_rwlock_timedwrlock(&rwlock[k], soon(&limit)) == 0)) return 8;
  unsigned seen = (unsigned)rwlock_data.x[k];
  rwlock_data.x[k] = v;
  pthread_rwlock_unlock(&rwlock[k]);
  return seen;
}
static unsigned spinlock_set(int k, int v, int w) {
  pthread_spin_lock(&spinlock[k]);
  spinlock_data.x[k] = v;
  pthread_spin_unlock(&spinlock[k]);
  return 0;
}
static unsigned spinlock_look(int k, int v, int w) {
  pthread_spin_lock(&spinlock[k]);
  unsigned seen = (unsigned)spinlock_data.x[k];
  pthread_spin_unlock(&spinlock[k]);
  return seen;
}
static unsigned spinlock_count(int k, int v, int w) {
  pthread_spin_lock(&spinlock[k]);
  unsigned seen = (unsigned)spinlock_data.x[k]++;
  pthread_spin_unlock(&spinlock[k]);
  return seen;
}
static unsigned spinlock_try(int k, int v, int w) {
  if (!(pthread_spin_trylock(&spinlock[k]) == 0)) return 9;
  unsigned seen = (unsigned)spinlock_data.x[k];
  pthread_spin_unlock(&spinlock[k]);
  return seen;
}
static unsigned spinlock_pass(int k, int v, int w) {
  pthread_spin_lock(&spinlock[k]);
  pthread_spin_unlock(&spinlock[k]);
  return 0;
}
static unsigned spinlock_tries(int k, int v, int w) {
  unsigned failed = 0;
  for (int n = 0; n <= v; ++n) {
    if (pthread_spin_trylock(&spinlock[k]) == 0) {
      pthread_spin_unlock(&spinlock[k]);
    } else {
      ++failed;
    }
    if (w) {
      pthread_spin_lock(&spinlock[k]);
      pthread_spin_unlock(&spinlock[k]);
    }
  }
  return failed;
}
static unsigned spinlock_copy(int k, int v, int w) {
  int copy;
  pthread_spin_lock(&spinlock[k]);
  memcpy(&copy, &spinlock_data.x[k], sizeof copy);
  pthread_spin_unlock(&spinlock[k]);
  return (unsigned)copy;
}
static unsigned spinlock_open(int k, int v, int w) {
  pthread_spin_lock(&spinlock[k]);
  return 0;
}
static unsigned spinlock_close(int k, int v, int w) {
  pthread_spin_unlock(&spinlock[k]);
  return 0;
}
static unsigned spinlock_check_round(int k, int v, int w) {
  int seen;
  WAITS
  do {
    ROUND
    pthread_spin_lock(&spinlock[k]);
    seen = spinlock_data.x[k];
    pthread_spin_unlock(&spinlock[k]);
  } while (seen != v);
  return 0;
}
static unsigned spinlock_check_inside(int k, int v, int w) {
  WAITS
  for (;;) {
    ROUND
    pthread_spin_lock(&spinlock[k]);
    if (spinlock_data.x[k] == v) {
      spinlock_data.x[k] = w;
      pthread_spin_unlock(&spinlock[k]);
      return 1;
    }
    pthread_spin_unlock(&spinlock[k]);
    sched_yield();
  }
}
static unsigned spinlock_try_round(int k, int v, int w) {
  WAITS
  while (!(pthread_spin_trylock(&spinlock[k]) == 0)) {
    ROUND
  }
  unsigned seen = (unsigned)spinlock_data.x[k]++;
  pthread_spin_unlock(&spinlock[k]);
  return seen;
}
static unsigned spinlock_try_check(int k, int v, int w) {
  WAITS
  for (;;) {
    ROUND
    if (pthread_spin_trylock(&spinlock[k]) == 0) {
      int seen = spinlock_data.x[k];
      pthread_spin_unlock(&spinlock[k]);
      if (seen == v) break;
    }
  }
  return 0;
}
static unsigned spinlock_lend_round(int k, int v, int w) {
  WAITS
  pthread_spin_lock(&spinlock[k]);
  while (spinlock_data.x[k] != v) {
    ROUND
    pthread_spin_unlock(&spinlock[k]);
    pthread_spin_lock(&spinlock[k]);
  }
  spinlock_data.x[k] = w;
  pthread_spin_unlock(&spinlock[k]);
  return 0;
}
static unsigned spinlock_lend_usleep(int k, int v, int w) {
  WAITS
  pthread_spin_lock(&spinlock[k]);
  while (spinlock_data.x[k] != v) {
    ROUND
    pthread_spin_unlock(&spinlock[k]);
    usleep(1);
    pthread_spin_lock(&spinlock[k]);
  }
  pthread_spin_unlock(&spinlock[k]);
  return 0;
}
static unsigned spinlock_update_pass(int k, int v, int w) {
  WAITS
  do {
    ROUND
    EXCHANGE(&atoms.x[k], v);
    pthread_spin_lock(&spinlock[k]);
    pthread_spin_unlock(&spinlock[k]);
  } while (!LOAD(&atoms.x[1 - k]));
  return 0;
}
static unsigned spinlock_or_pass(int k, int v, int w) {
  WAITS
  do {
    ROUND
    __atomic_fetch_or(&atoms.x[k], v, __ATOMIC_SEQ_CST);
    pthread_spin_lock(&spinlock[k]);
    int seen = spinlock_data.x[k];
    pthread_spin_unlock(&spinlock[k]);
    if (seen) break;
  } while (!LOAD(&atoms.x[1 - k]));
  return 0;
}
static unsigned flag_set(int k, int v, int w) {
  { WAITS while (__atomic_test_and_set(&flag[k], __ATOMIC_SEQ_CST)) { ROUND } }
  flag_data.x[k] = v;
  __atomic_clear(&flag[k], __ATOMIC_SEQ_CST);
  return 0;
}
static unsigned flag_look(int k, int v, int w) {
  { WAITS while (__atomic_test_and_set(&flag[k], __ATOMIC_SEQ_CST)) { ROUND } }
  unsigned seen = (unsigned)flag_data.x[k];
  __atomic_clear(&flag[k], __ATOMIC_SEQ_CST);
  return seen;
}
static unsigned flag_count(int k, int v, int w) {
  { WAITS while (__atomic_test_and_set(&flag[k], __ATOMIC_SEQ_CST)) { ROUND } }
  unsigned seen = (unsigned)flag_data.x[k]++;
  __atomic_clear(&flag[k], __ATOMIC_SEQ_CST);
  return seen;
}
static unsigned flag_try(int k, int v, int w) {
  if (!(!__atomic_test_and_set(&flag[k], __ATOMIC_SEQ_CST))) return 9;
  unsigned seen = (unsigned)flag_data.x[k];
  __atomic_clear(&flag[k], __ATOMIC_SEQ_CST);
  return seen;
}
static unsigned flag_pass(int k, int v, int w) {
  { WAITS while (__atomic_test_and_set(&flag[k], __ATOMIC_SEQ_CST)) { ROUND } }
  __atomic_clear(&flag[k], __ATOMIC_SEQ_CST);
  return 0;
}
static unsigned flag_tries(int k, int v, int w) {
  unsigned failed = 0;
  for (int n = 0; n <= v; ++n) {
    if (!__atomic_test_and_set(&flag[k], __ATOMIC_SEQ_CST)) {
      __atomic_clear(&flag[k], __ATOMIC_SEQ_CST);
    } else {
      ++failed;
    }
    if (w) {
      { WAITS while (__atomic_test_and_set(&flag[k], __ATOMIC_SEQ_CST)) { ROUND } }
      __atomic_clear(&flag[k], __ATOMIC_SEQ_CST);
    }
  }
  return failed;
}
static unsigned flag_copy(int k, int v, int w) {
  int copy;
  { WAITS while (__atomic_test_and_set(&flag[k], __ATOMIC_SEQ_CST)) { ROUND } }
  memcpy(&copy, &flag_data.x[k], sizeof copy);
  __atomic_clear(&flag[k], __ATOMIC_SEQ_CST);
  return (unsigned)copy;
}
static unsigned flag_open(int k, int v, int w) {
  { WAITS while (__atomic_test_and_set(&flag[k], __ATOMIC_SEQ_CST)) { ROUND } }
  return 0;
}
static unsigned flag_close(int k, int v, int w) {
  __atomic_clear(&flag[k], __ATOMIC_SEQ_CST);
  return 0;
}
static unsigned flag_try_round(int k, int v, int w) {
  WAITS
  while (!(!__atomic_test_and_set(&flag[k], __ATOMIC_SEQ_CST))) {
    ROUND
  }
  unsigned seen = (unsigned)flag_data.x[k]++;
  __atomic_clear(&flag[k], __ATOMIC_SEQ_CST);
  return seen;
}
static unsigned turn_set(int k, int v, int w) {
  sem_wait(&turn[k]);
  turn_data.x[k] = v;
  sem_post(&turn[k]);
  return 0;
}
static unsigned turn_look(int k, int v, int w) {
  sem_wait(&turn[k]);
  unsigned seen = (unsigned)turn_data.x[k];
  sem_post(&turn[k]);
  return seen;
}
static unsigned turn_count(int k, int v, int w) {
  sem_wait(&turn[k]);
  unsigned seen = (unsigned)turn_data.x[k]++;
  sem_post(&turn[k]);
  return seen;
}
static unsigned turn_try(int k, int v, int w) {
  if (!(sem_trywait(&turn[k]) == 0)) return 9;
  unsigned seen = (unsigned)turn_data.x[k];
  sem_post(&turn[k]);
  return seen;
}
static unsigned turn_pass(int k, int v, int w) {
  sem_wait(&turn[k]);
  sem_post(&turn[k]);
  return 0;
}
static unsigned turn_tries(int k, int v, int w) {
  unsigned failed = 0;
  for (int n = 0; n <= v; ++n) {
    if (sem_trywait(&turn[k]) == 0) {
      sem_post(&turn[k]);
    } else {
      ++failed;
    }
    if (w) {
      sem_wait(&turn[k]);
      sem_post(&turn[k]);
    }
  }
  return failed;
}
static unsigned turn_copy(int k, int v, int w) {
  int copy;
  sem_wait(&turn[k]);
  memcpy(&copy, &turn_data.x[k], sizeof copy);
  sem_post(&turn[k]);
  return (unsigned)copy;
}
static unsigned turn_open(int k, int v, int w) {
  sem_wait(&turn[k]);
  return 0;
}
static unsigned turn_close(int k, int v, int w) {
  sem_post(&turn[k]);
  return 0;
}
static unsigned turn_try_round(int k, int v, int w) {
  WAITS
  while (!(sem_trywait(&turn[k]) == 0)) {
    ROUND
  }
  unsigned seen = (unsigned)turn_data.x[k]++;
  sem_post(&turn[k]);
  return seen;
}
static unsigned turn_in_time(int k, int v, int w) {
  struct timespec limit;
  if (!(sem_timedwait(&turn[k], soon(&limit)) == 0)) return 8;
  unsigned seen = (unsigned)turn_data.x[k];
  turn_data.x[k] = v;
  sem_post(&turn[k]);
  return seen;
}
static unsigned rwlock_share(int k, int v, int w) {
  pthread_rwlock_rdlock(&rwlock[k]);
  unsigned seen = (unsigned)rwlock_data.x[k];
  pthread_rwlock_unlock(&rwlock[k]);
  return seen;
}
static unsigned rwlock_share_twice(int k, int v, int w) {
  pthread_rwlock_rdlock(&rwlock[k]);
  pthread_rwlock_rdlock(&rwlock[k]);
  unsigned seen = (unsigned)rwlock_data.x[k];
  pthread_rwlock_unlock(&rwlock[k]);
  pthread_rwlock_unlock(&rwlock[k]);
  return seen;
}
static unsigned rwlock_try_share(int k, int v, int w) {
  if (pthread_rwlock_tryrdlock(&rwlock[k]) != 0) return 9;
  unsigned seen = (unsigned)rwlock_data.x[k];
  pthread_rwlock_unlock(&rwlock[k]);
  return seen;
}
static unsigned rwlock_open_shared(int k, int v, int w) {
  pthread_rwlock_rdlock(&rwlock[k]);
  return 0;
}
static unsigned rwlock_share_round(int k, int v, int w) {
  int seen;
  WAITS
  do {
    ROUND
    pthread_rwlock_rdlock(&rwlock[k]);
    seen = rwlock_data.x[k];
    pthread_rwlock_unlock(&rwlock[k]);
  } while (seen != v);
  return 0;
}
static unsigned spin(int k, int v, int w) {
  WAITS
  while (LOAD(&atoms.x[k]) != v) {
    ROUND
  }
  return 0;
}
static unsigned spin_yield(int k, int v, int w) {
  int seen;
  WAITS
  do {
    ROUND
    seen = LOAD(&atoms.x[k]);
    sched_yield();
  } while (seen != v);
  return 0;
}
static unsigned spin_usleep(int k, int v, int w) {
  WAITS
  while (!LOAD(&atoms.x[1 - k])) {
    ROUND
    usleep(10);
  }
  return (unsigned)LOAD(&atoms.x[k]);
}
static unsigned spin_last(int k, int v, int w) {
  int last = -1;
  WAITS
  for (;;) {
    ROUND
    int seen = LOAD(&atoms.x[k]);
    if (seen == v) break;
    last = seen;
  }
  return (unsigned)last;
}
static unsigned spin_either(int k, int v, int w) {
  int at = k;
  WAITS
  while (LOAD(&atoms.x[at]) != 1) {
    ROUND
    at = 1 - at;
  }
  return (unsigned)at;
}
static unsigned spin_equal(int k, int v, int w) {
  WAITS
  while (LOAD(&atoms.x[0]) != LOAD(&atoms.x[1])) {
    ROUND
  }
  return 0;
}
static unsigned spin_nested(int k, int v, int w) {
  WAITS
  do {
    ROUND
    while (LOAD(&atoms.x[k]) != v) {
      ROUND
      if (LOAD(&atoms.x[1 - k]) == w) break;
    }
  } while (LOAD(&atoms.x[k]) != v);
  return (unsigned)LOAD(&atoms.x[1 - k]);
}
static unsigned spin_test_and_set(int k, int v, int w) {
  WAITS
  while (EXCHANGE(&atoms.x[k], 1)) {
    ROUND
  }
  unsigned seen = (unsigned)LOAD(&atoms.x[1 - k]);
  STORE(&atoms.x[k], 0);
  return seen;
}
static unsigned spin_test_first(int k, int v, int w) {
  WAITS
  for (;;) {
    ROUND
    while (LOAD(&atoms.x[k])) {
      ROUND
    }
    if (!EXCHANGE(&atoms.x[k], 1)) break;
  }
  ADD(&atoms.x[1 - k], 1);
  STORE(&atoms.x[k], 0);
  return 0;
}
static unsigned spin_or(int k, int v, int w) {
  WAITS
  while ((__atomic_fetch_or(&atoms.x[k], 2, __ATOMIC_SEQ_CST) & 1) != (v & 1)) {
    ROUND
  }
  return 0;
}
static unsigned spin_add_nothing(int k, int v, int w) {
  WAITS
  while (ADD(&atoms.x[k], 0) != v) {
    ROUND
  }
  return 0;
}
static unsigned spin_cas(int k, int v, int w) {
  int old = w;
  WAITS
  while (!CAS(&atoms.x[k], &old, v)) {
    ROUND
    old = w;
  }
  return 0;
}
static unsigned spin_cas_add(int k, int v, int w) {
  int old = LOAD(&atoms.x[k]);
  WAITS
  while (!CAS(&atoms.x[k], &old, old + 1)) {
    ROUND
  }
  return (unsigned)old;
}
static unsigned spin_update(int k, int v, int w) {
  WAITS
  do {
    ROUND
    EXCHANGE(&atoms.x[k], v);
  } while (!LOAD(&atoms.x[1 - k]));
  return 0;
}
static unsigned spin_store(int k, int v, int w) {
  WAITS
  do {
    ROUND
    STORE(&atoms.x[k], v);
  } while (!LOAD(&atoms.x[1 - k]));
  return 0;
}
static unsigned spin_cas_update(int k, int v, int w) {
  WAITS
  do {
    ROUND
    int old = w;
    CAS(&atoms.x[k], &old, v);
  } while (!LOAD(&atoms.x[1 - k]));
  return 0;
}
static unsigned spin_update16(int k, int v, int w) {
  WAITS
  do {
    ROUND
    EXCHANGE(&wide.all, halves(v, w).all);
  } while (!LOAD(&atoms.x[1 - k]));
  return 0;
}
static unsigned spin_store16(int k, int v, int w) {
  WAITS
  do {
    ROUND
    STORE(&wide.all, halves(v, w).all);
  } while (!LOAD(&atoms.x[1 - k]));
  return 0;
}
static unsigned spin_cas16(int k, int v, int w) {
  WAITS
  do {
    ROUND
    union Wide old = halves(0, 0);
    CAS(&wide.all, &old.all, halves(v, w).all);
  } while (!LOAD(&atoms.x[1 - k]));
  return 0;
}
static unsigned spin_update8(int k, int v, int w) {
  WAITS
  do {
    ROUND
    EXCHANGE(&wide.u8[k], (unsigned long)v);
  } while (!LOAD(&atoms.x[1 - k]));
  return 0;
}
static unsigned spin_update1(int k, int v, int w) {
  WAITS
  do {
    ROUND
    EXCHANGE(&wide.u1[w], (unsigned char)v);
  } while (!LOAD(&atoms.x[1 - k]));
  return 0;
}
static unsigned spin_high(int k, int v, int w) {
  union Wide now;
  WAITS
  do {
    ROUND
    now.all = LOAD(&wide.all);
  } while ((int)now.u8[1] != w);
  return (unsigned)now.u8[0];
}
static unsigned spin_semaphore(int k, int v, int w) {
  WAITS
  while (sem_trywait(&semaphore) != 0) {
    ROUND
  }
  return 0;
}
static unsigned spin_semaphore_or_flag(int k, int v, int w) {
  WAITS
  while (sem_trywait(&semaphore) != 0) {
    ROUND
    if (LOAD(&atoms.x[1 - k])) return 1;
  }
  return 0;
}
static unsigned spin_semaphore_value(int k, int v, int w) {
  WAITS
  for (;;) {
    ROUND
    int value;
    sem_getvalue(&semaphore, &value);
    if (value != 0) break;
  }
  return 0;
}
static unsigned spin_once(int k, int v, int w) {
  WAITS
  do {
    ROUND
    pthread_once(&once, run_once);
  } while (!LOAD(&atoms.x[1 - k]));
  return (unsigned)once_runs.n;
}
static unsigned patient(int k, int v, int w) {
  WAITS
  for (int i = 0; i < 2 + (w & 1); ++i) {
    ROUND
    if (LOAD(&atoms.x[k]) == v) return 1;
  }
  return 2 + (unsigned)LOAD(&atoms.x[1 - k]);
}
static unsigned patient_while(int k, int v, int w) {
  int left = 2;
  WAITS
  while (left-- > 0) {
    ROUND
    if (LOAD(&atoms.x[k]) == v) return 1;
    if (left > 0)
      sched_yield();
  }
  ADD(&atoms.x[1 - k], 1);
  return 0;
}
static unsigned patient_counting(int k, int v, int w) {
  int i;
  WAITS
  for (i = 0; i < 3; ++i) {
    ROUND
    if (LOAD(&atoms.x[k]) == v) break;
  }
  return (unsigned)i;
}
static unsigned patient_value(int k, int v, int w) {
  int seen, i = 0;
  WAITS
  do {
    ROUND
    seen = LOAD(&atoms.x[k]);
    if (seen == v) return 7;
  } while (++i < 2);
  return (unsigned)seen;
}
static unsigned patient_values(int k, int v, int w) {
  int a, b, i = 0;
  WAITS
  do {
    ROUND
    a = LOAD(&atoms.x[k]);
    b = LOAD(&atoms.x[1 - k]);
    if (a == v && b == w) return 99;
  } while (++i < 2);
  return (unsigned)(a * 10 + b);
}
static unsigned patient_two(int k, int v, int w) {
  WAITS
  for (int i = 0; i < 2; ++i) {
    ROUND
    if (LOAD(&atoms.x[0]) == v && LOAD(&atoms.x[1]) == w) return 1;
  }
  STORE(&atoms.x[k], 1);
  return 0;
}
static unsigned patient_equal(int k, int v, int w) {
  WAITS
  for (int i = 0; i < 3; ++i) {
    ROUND
    int a = LOAD(&atoms.x[0]);
    int b = LOAD(&atoms.x[1]);
    if (a == b) return 1;
  }
  return 2 + (unsigned)LOAD(&atoms.x[k]);
}
static unsigned patient_twice(int k, int v, int w) {
  WAITS
  for (int i = 0; i < 2; ++i) {
    ROUND
    int a = LOAD(&atoms.x[k]);
    int b = LOAD(&atoms.x[k]);
    if (a != b) return (unsigned)(1 + a * 3 + b);
  }
  return 0;
}
static unsigned patient_mixed(int k, int v, int w) {
  WAITS
  for (int i = 0; i < 3; ++i) {
    ROUND
    int seen = LOAD(&atoms.x[k]);
    if (seen == 2 && i == 0) return 1;
    if (seen == 1 && i == 1) return 2;
  }
  return 3;
}
static unsigned patient_middle(int k, int v, int w) {
  WAITS
  for (int i = 0;; ++i) {
    ROUND
    int seen = LOAD(&atoms.x[k]);
    if (i == 2) return 3 + (unsigned)seen;
    if (seen == v) return 1;
  }
}
static unsigned patient_between(int k, int v, int w) {
  WAITS
  for (int i = 0;; ++i) {
    ROUND
    if (LOAD(&atoms.x[k]) == v) return 1;
    if (i == 1) return 2;
    if (LOAD(&atoms.x[1 - k]) == w) return 3;
  }
}
static unsigned patient_cas(int k, int v, int w) {
  WAITS
  for (int i = 0; i < 3; ++i) {
    ROUND
    int old = w;
    if (CAS(&atoms.x[k], &old, v)) return 1;
  }
  return 2 + (unsigned)LOAD(&atoms.x[1 - k]);
}
static unsigned patient_test_and_cas(int k, int v, int w) {
  WAITS
  for (int i = 0; i < 2; ++i) {
    ROUND
    if (LOAD(&atoms.x[k])) continue;
    int old = 0;
    if (CAS(&atoms.x[k], &old, 1)) return 1;
  }
  ADD(&atoms.x[1 - k], 1);
  return 0;
}
static unsigned patient_acting(int k, int v, int w) {
  WAITS
  for (int i = 0; i < 3; ++i) {
    ROUND
    if (LOAD(&atoms.x[k]) == v) ADD(&atoms.x[1 - k], 1);
  }
  return 0;
}
static unsigned patient_summing(int k, int v, int w) {
  unsigned sum = 0;
  WAITS
  for (int i = 0; i < 3; ++i) {
    ROUND
    if (LOAD(&atoms.x[k]) == v) ++sum;
  }
  return sum;
}
static unsigned patient_remembering(int k, int v, int w) {
  int last = -1;
  WAITS
  for (int i = 0; i < 2; ++i) {
    ROUND
    int seen = LOAD(&atoms.x[k]);
    if (seen == last) return 1;
    last = seen;
  }
  return 2;
}
static unsigned patient_uneven(int k, int v, int w) {
  int i = 0;
  WAITS
  while (i < 3) {
    ROUND
    if (LOAD(&atoms.x[k]) == v)
      i += 2;
    else
      ++i;
  }
  return (unsigned)LOAD(&atoms.x[1 - k]);
}
static unsigned patient_storing(int k, int v, int w) {
  WAITS
  for (int i = 0; i < 2; ++i) {
    ROUND
    if (LOAD(&atoms.x[k]) == v) return 1;
    STORE(&atoms.x[1 - k], w);
  }
  return 0;
}
static unsigned patient_tracing(int k, int v, int w) {
  WAITS
  for (int i = 0; i < 3; ++i) {
    ROUND
    if (LOAD(&atoms.x[k]) == v) return 1;
    if (i == 1) STORE(&atoms.x[1 - k], 1);
  }
  return 0;
}
static unsigned backing_off(int k, int v, int w) {
  unsigned delay = 1;
  WAITS
  while (LOAD(&atoms.x[k]) != v) {
    ROUND
    for (unsigned n = 0; n < delay; ++n) __builtin_ia32_pause();
    if (delay < 8)
      delay *= 2;
    else
      sched_yield();
  }
  return 0;
}
static unsigned backing_off_cas(int k, int v, int w) {
  int delay = 1;
  WAITS
  for (;;) {
    ROUND
    int old = w;
    if (CAS(&atoms.x[k], &old, v)) return 0;
    for (int n = delay; n > 0; --n) __builtin_ia32_pause();
    delay = delay * 2 & 15;
  }
}
static unsigned backing_off_counted(int k, int v, int w) {
  unsigned delay = 1;
  WAITS
  while (LOAD(&atoms.x[k]) != v) {
    ROUND
    if (delay < 4) delay *= 2;
  }
  return delay;
}
static unsigned spin_peeled(int k, int v, int w) {
  int seen = LOAD(&atoms.x[k]);
  WAITS
  while (seen != v) {
    ROUND
    seen = LOAD(&atoms.x[k]);
  }
  return 0;
}
static unsigned spin_peeled_other(int k, int v, int w) {
  int seen = LOAD(&atoms.x[1 - k]);
  WAITS
  while (seen != v) {
    ROUND
    seen = LOAD(&atoms.x[k]);
  }
  return 0;
}
static unsigned spin_carried(int k, int v, int w) {
  int seen = w, before = w;
  WAITS
  while (seen != v) {
    ROUND
    before = seen;
    seen = LOAD(&atoms.x[k]);
  }
  return (unsigned)before;
}
static unsigned spin_cached(int k, int v, int w) {
  static __thread int cache;
  cache = -1;
  WAITS
  while (cache != v) {
    ROUND
    cache = LOAD(&atoms.x[k]);
  }
  return 0;
}
static unsigned spin_store_sometimes(int k, int v, int w) {
  WAITS
  while (!LOAD(&atoms.x[1 - k])) {
    ROUND
    if (LOAD(&atoms.x[k]) == w) STORE(&atoms.x[k], v);
  }
  return 0;
}
static unsigned spin_store_first(int k, int v, int w) {
  WAITS
  for (;;) {
    ROUND
    if (LOAD(&atoms.x[1 - k]) == 0) {
      STORE(&atoms.x[k], 1);
      if (LOAD(&atoms.x[k]) == v) return 0;
    } else if (LOAD(&atoms.x[k]) == w) {
      return 1;
    }
  }
}
static unsigned spin_cas_same(int k, int v, int w) {
  WAITS
  do {
    ROUND
    int old = v;
    CAS(&atoms.x[k], &old, v);
  } while (!LOAD(&atoms.x[1 - k]));
  return 0;
}
static unsigned spin_block(int k, int v, int w) {
  int on;
  WAITS
  do {
    ROUND
    heddle_atomic_begin();
    STORE(&atoms.x[k], v);
    on = LOAD(&atoms.x[1 - k]);
    heddle_atomic_end();
  } while (!on);
  return 0;
}
static unsigned spin_array(int k, int v, int w) {
  int seen[2] = {0, 0}, got = 0;
  WAITS
  while (got < 2) {
    ROUND
    if (!LOAD(&atoms.x[1 - k])) continue;
    ++seen[LOAD(&atoms.x[k]) & 1];
    ++got;
  }
  return (unsigned)seen[w & 1];
}
static unsigned set_and_signal(int k, int v, int w) {
  pthread_mutex_lock(&mutex[0]);
  mutex_data.x[0] = v;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex[0]);
  return 0;
}
static unsigned set_and_broadcast(int k, int v, int w) {
  pthread_mutex_lock(&mutex[0]);
  mutex_data.x[0] = v;
  pthread_mutex_unlock(&mutex[0]);
  pthread_cond_broadcast(&condition);
  return 0;
}
static unsigned wait_once(int k, int v, int w) {
  pthread_mutex_lock(&mutex[0]);
  if (mutex_data.x[0] != v) pthread_cond_wait(&condition, &mutex[0]);
  unsigned seen = (unsigned)mutex_data.x[0];
  pthread_mutex_unlock(&mutex[0]);
  return seen;
}
static unsigned wait_while(int k, int v, int w) {
  pthread_mutex_lock(&mutex[0]);
  while (mutex_data.x[0] != v) pthread_cond_wait(&condition, &mutex[0]);
  mutex_data.x[0] = w;
  pthread_mutex_unlock(&mutex[0]);
  return 0;
}
static unsigned wait_recursive(int k, int v, int w) {
  pthread_mutex_lock(&recursive[0]);
  if (w) pthread_mutex_lock(&recursive[0]);
  while (recursive_data.x[0] != v) pthread_cond_wait(&condition, &recursive[0]);
  if (w) pthread_mutex_unlock(&recursive[0]);
  pthread_mutex_unlock(&recursive[0]);
  return 0;
}
static unsigned signal_recursive(int k, int v, int w) {
  pthread_mutex_lock(&recursive[0]);
  recursive_data.x[0] = v;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&recursive[0]);
  return 0;
}
static unsigned semaphore_post(int k, int v, int w) {
  sem_post(&semaphore);
  return 0;
}
static unsigned semaphore_wait(int k, int v, int w) {
  sem_wait(&semaphore);
  return 0;
}
static unsigned semaphore_try(int k, int v, int w) {
  return sem_trywait(&semaphore) == 0;
}
static unsigned semaphore_value(int k, int v, int w) {
  int value;
  sem_getvalue(&semaphore, &value);
  return (unsigned)value;
}
static unsigned meet(int k, int v, int w) {
  pthread_barrier_wait(&barrier);
  return 0;
}
static unsigned meet_and_look(int k, int v, int w) {
  return pthread_barrier_wait(&barrier) != 0;
}
static unsigned run_once_and_look(int k, int v, int w) {
  pthread_once(&once, run_once);
  return (unsigned)once_runs.n;
}
static unsigned own_count(int k, int v, int w) {
  own += v;
  STORE(&atoms.x[k], own);
  return 0;
}
static unsigned own_key(int k, int v, int w) {
  void *old = pthread_getspecific(key);
  pthread_setspecific(key, &atoms.x[k]);
  return old ? (unsigned)LOAD((int *)old) : 7;
}
static unsigned make_key(int k, int v, int w) {
  pthread_key_t made;
  if (pthread_key_create(&made, 0) != 0) return 99;
  return (unsigned)made;
}
static unsigned replace_node(int k, int v, int w) {
  int *made = (int *)malloc(sizeof *made);
  *made = v;
  int *old = __atomic_exchange_n(&node, made, __ATOMIC_ACQ_REL);
  if (!old) return 9;
  unsigned seen = (unsigned)*old;
  free(old);
  return seen;
}
static unsigned publish_node(int k, int v, int w) {
  int *made = (int *)malloc(sizeof *made), *none = 0;
  *made = v;
  if (!CAS(&node, &none, made)) free(made);
  return 0;
}
static unsigned look_at_node(int k, int v, int w) {
  return __atomic_load_n(&node, __ATOMIC_ACQUIRE) != 0;
}
static unsigned write_text(int k, int v, int w) {
  pthread_mutex_lock(&mutex[0]);
  strcpy(text.s, v ? "one" : "nothing");
  pthread_mutex_unlock(&mutex[0]);
  return 0;
}
static unsigned read_text(int k, int v, int w) {
  pthread_mutex_lock(&mutex[0]);
  unsigned seen = (unsigned)strlen(text.s);
  pthread_mutex_unlock(&mutex[0]);
  return seen;
}
static unsigned print_text(int k, int v, int w) {
  pthread_mutex_lock(&mutex[0]);
  snprintf(text.s, sizeof text.s, "%d", v * 5);
  pthread_mutex_unlock(&mutex[0]);
  return 0;
}
static unsigned draw(int k, int v, int w) {
  return (unsigned)random() & 3;
}
static unsigned at_exit(int k, int v, int w) {
  atexit(k ? exit_1 : exit_0);
  return 0;
}
static unsigned wait_counting(int k, int v, int w) {
  unsigned rounds = 0;
  pthread_mutex_lock(&mutex[0]);
  while (mutex_data.x[0] != v) {
    ++rounds;
    pthread_cond_wait(&condition, &mutex[0]);
  }
  pthread_mutex_unlock(&mutex[0]);
  return rounds;
}
static unsigned nested_thread(int k, int v, int w) {
  pthread_t inner;
  pthread_create(&inner, 0, count_up, &atoms.x[k]);
  unsigned seen = (unsigned)LOAD(&atoms.x[1 - k]);
  pthread_join(inner, 0);
  return seen;
}
static unsigned semaphore_in_time(int k, int v, int w) {
  struct timespec limit;
  return sem_timedwait(&semaphore, soon(&limit)) == 0;
}
static unsigned condition_in_time(int k, int v, int w) {
  struct timespec limit;
  unsigned late = 0;
  pthread_mutex_lock(&mutex[0]);
  if (mutex_data.x[0] != v) late = pthread_cond_timedwait(&condition, &mutex[0], soon(&limit)) != 0;
  unsigned seen = (unsigned)mutex_data.x[0];
  pthread_mutex_unlock(&mutex[0]);
  return seen * 2 + late;
}
static sem_t ended;
static struct Step { int thread, kind, k, v, w; } steps[64];
static int count, way, when, main_works, early, thread_count, used;
static unsigned do_step(const struct Step *s) {
  switch (s->kind) {
    case 0:
      return load(s->k, s->v, s->w);
    case 1:
      return store(s->k, s->v, s->w);
    case 2:
      return exchange(s->k, s->v, s->w);
    case 3:
      return exchange_unseen(s->k, s->v, s->w);
    case 4:
      return increment(s->k, s->v, s->w);
    case 5:
      return increment_unseen(s->k, s->v, s->w);
    case 6:
      return or_with(s->k, s->v, s->w);
    case 7:
      return swap_if(s->k, s->v, s->w);
    case 8:
      return swap_if_unseen(s->k, s->v, s->w);
    case 9:
      return load_relaxed(s->k, s->v, s->w);
    case 10:
      return store_relaxed(s->k, s->v, s->w);
    case 11:
      return store_if(s->k, s->v, s->w);
    case 12:
      return load_at(s->k, s->v, s->w);
    case 13:
      return add_both_in_block(s->k, s->v, s->w);
    case 14:
      return choose(s->k, s->v, s->w);
    case 15:
      return choose_in_block(s->k, s->v, s->w);
    case 16:
      return load16(s->k, s->v, s->w);
    case 17:
      return store16(s->k, s->v, s->w);
    case 18:
      return exchange16(s->k, s->v, s->w);
    case 19:
      return swap16_if(s->k, s->v, s->w);
    case 20:
      return load8(s->k, s->v, s->w);
    case 21:
      return store8(s->k, s->v, s->w);
    case 22:
      return swap8_if(s->k, s->v, s->w);
    case 23:
      return load4(s->k, s->v, s->w);
    case 24:
      return store4(s->k, s->v, s->w);
    case 25:
      return add4(s->k, s->v, s->w);
    case 26:
      return load2(s->k, s->v, s->w);
    case 27:
      return store2(s->k, s->v, s->w);
    case 28:
      return load1(s->k, s->v, s->w);
    case 29:
      return store1(s->k, s->v, s->w);
    case 30:
      return exchange1(s->k, s->v, s->w);
    case 33:
      return go(s->k, s->v, s->w);
    case 34:
      return mutex_set(s->k, s->v, s->w);
    case 35:
      return mutex_look(s->k, s->v, s->w);
    case 36:
      return mutex_count(s->k, s->v, s->w);
    case 37:
      return mutex_try(s->k, s->v, s->w);
    case 38:
      return mutex_pass(s->k, s->v, s->w);
    case 39:
      return mutex_tries(s->k, s->v, s->w);
    case 40:
      return mutex_copy(s->k, s->v, s->w);
    case 41:
      return mutex_open(s->k, s->v, s->w);
    case 42:
      return mutex_close(s->k, s->v, s->w);
    case 43:
      return mutex_check_round(s->k, s->v, s->w);
    case 44:
      return mutex_check_inside(s->k, s->v, s->w);
    case 45:
      return mutex_try_round(s->k, s->v, s->w);
    case 46:
      return mutex_try_check(s->k, s->v, s->w);
    case 47:
      return mutex_lend_round(s->k, s->v, s->w);
    case 48:
      return mutex_lend_usleep(s->k, s->v, s->w);
    case 49:
      return mutex_update_pass(s->k, s->v, s->w);
    case 50:
      return mutex_or_pass(s->k, s->v, s->w);
    case 51:
      return mutex_in_time(s->k, s->v, s->w);
    case 52:
      return recursive_set(s->k, s->v, s->w);
    case 53:
      return recursive_look(s->k, s->v, s->w);
    case 54:
      return recursive_count(s->k, s->v, s->w);
    case 55:
      return recursive_try(s->k, s->v, s->w);
    case 56:
      return recursive_pass(s->k, s->v, s->w);
    case 57:
      return recursive_tries(s->k, s->v, s->w);
    case 58:
      return recursive_copy(s->k, s->v, s->w);
    case 59:
      return recursive_open(s->k, s->v, s->w);
    case 60:
      return recursive_close(s->k, s->v, s->w);
    case 61:
      return recursive_check_round(s->k, s->v, s->w);
    case 62:
      return recursive_check_inside(s->k, s->v, s->w);
    case 63:
      return recursive_try_round(s->k, s->v, s->w);
    case 64:
      return recursive_try_check(s->k, s->v, s->w);
    case 65:
      return recursive_lend_round(s->k, s->v, s->w);
    case 66:
      return recursive_lend_usleep(s->k, s->v, s->w);
    case 67:
      return recursive_update_pass(s->k, s->v, s->w);
    case 68:
      return recursive_or_pass(s->k, s->v, s->w);
    case 69:
      return recursive_in_time(s->k, s->v, s->w);
    case 70:
      return checking_set(s->k, s->v, s->w);
    case 71:
      return checking_look(s->k, s->v, s->w);
    case 72:
      return checking_count(s->k, s->v, s->w);
    case 73:
      return checking_try(s->k, s->v, s->w);
    case 74:
      return checking_pass(s->k, s->v, s->w);
    case 75:
      return checking_tries(s->k, s->v, s->w);
    case 76:
      return checking_copy(s->k, s->v, s->w);
    case 77:
      return checking_open(s->k, s->v, s->w);
    case 78:
      return checking_close(s->k, s->v, s->w);
    case 79:
      return checking_check_round(s->k, s->v, s->w);
    case 80:
      return checking_check_inside(s->k, s->v, s->w);
    case 81:
      return checking_try_round(s->k, s->v, s->w);
    case 82:
      return checking_try_check(s->k, s->v, s->w);
    case 83:
      return checking_lend_round(s->k, s->v, s->w);
    case 84:
      return checking_lend_usleep(s->k, s->v, s->w);
    case 85:
      return checking_update_pass(s->k, s->v, s->w);
    case 86:
      return checking_or_pass(s->k, s->v, s->w);
    case 87:
      return checking_in_time(s->k, s->v, s->w);
    case 88:
      return rwlock_set(s->k, s->v, s->w);
    case 89:
      return rwlock_look(s->k, s->v, s->w);
    case 90:
      return rwlock_count(s->k, s->v, s->w);
    case 91:
      return rwlock_try(s->k, s->v, s->w);
    case 92:
      return rwlock_pass(s->k, s->v, s->w);
    case 93:
      return rwlock_tries(s->k, s->v, s->w);
    case 94:
      return rwlock_copy(s->k, s->v, s->w);
    case 95:
      return rwlock_open(s->k, s->v, s->w);
    case 96:
      return rwlock_close(s->k, s->v, s->w);
    case 97:
      return rwlock_check_round(s->k, s->v, s->w);
    case 98:
      return rwlock_check_inside(s->k, s->v, s->w);
    case 99:
      return rwlock_try_round(s->k, s->v, s->w);
    case 100:
      return rwlock_try_check(s->k, s->v, s->w);
    case 101:
      return rwlock_lend_round(s->k, s->v, s->w);
    case 102:
      return rwlock_lend_usleep(s->k, s->v, s->w);
    case 103:
      return rwlock_update_pass(s->k, s->v, s->w);
    case 104:
      return rwlock_or_pass(s->k, s->v, s->w);
    case 105:
      return rwlock_in_time(s->k, s->v, s->w);
    case 106:
      return spinlock_set(s->k, s->v, s->w);
    case 107:
      return spinlock_look(s->k, s->v, s->w);
    case 108:
      return spinlock_count(s->k, s->v, s->w);
    case 109:
      return spinlock_try(s->k, s->v, s->w);
    case 110:
      return spinlock_pass(s->k, s->v, s->w);
    case 111:
      return spinlock_tries(s->k, s->v, s->w);
    case 112:
      return spinlock_copy(s->k, s->v, s->w);
    case 113:
      return spinlock_open(s->k, s->v, s->w);
    case 114:
      return spinlock_close(s->k, s->v, s->w);
    case 115:
      return spinlock_check_round(s->k, s->v, s->w);
    case 116:
      return spinlock_check_inside(s->k, s->v, s->w);
    case 117:
      return spinlock_try_round(s->k, s->v, s->w);
    case 118:
      return spinlock_try_check(s->k, s->v, s->w);
    case 119:
      return spinlock_lend_round(s->k, s->v, s->w);
    case 120:
      return spinlock_lend_usleep(s->k, s->v, s->w);
    case 121:
      return spinlock_update_pass(s->k, s->v, s->w);
    case 122:
      return spinlock_or_pass(s->k, s->v, s->w);
    case 123:
      return flag_set(s->k, s->v, s->w);
    case 124:
      return flag_look(s->k, s->v, s->w);
    case 125:
      return flag_count(s->k, s->v, s->w);
    case 126:
      return flag_try(s->k, s->v, s->w);
    case 127:
      return flag_pass(s->k, s->v, s->w);
    case 128:
      return flag_tries(s->k, s->v, s->w);
    case 129:
      return flag_copy(s->k, s->v, s->w);
    case 130:
      return flag_open(s->k, s->v, s->w);
    case 131:
      return flag_close(s->k, s->v, s->w);
    case 132:
      return flag_try_round(s->k, s->v, s->w);
    case 133:
      return turn_set(s->k, s->v, s->w);
    case 134:
      return turn_look(s->k, s->v, s->w);
    case 135:
      return turn_count(s->k, s->v, s->w);
    case 136:
      return turn_try(s->k, s->v, s->w);
    case 137:
      return turn_pass(s->k, s->v, s->w);
    case 138:
      return turn_tries(s->k, s->v, s->w);
    case 139:
      return turn_copy(s->k, s->v, s->w);
    case 140:
      return turn_open(s->k, s->v, s->w);
    case 141:
      return turn_close(s->k, s->v, s->w);
    case 142:
      return turn_try_round(s->k, s->v, s->w);
    case 143:
      return turn_in_time(s->k, s->v, s->w);
    case 144:
      return rwlock_share(s->k, s->v, s->w);
    case 145:
      return rwlock_share_twice(s->k, s->v, s->w);
    case 146:
      return rwlock_try_share(s->k, s->v, s->w);
    case 147:
      return rwlock_open_shared(s->k, s->v, s->w);
    case 148:
      return rwlock_share_round(s->k, s->v, s->w);
    case 149:
      return spin(s->k, s->v, s->w);
    case 150:
      return spin_yield(s->k, s->v, s->w);
    case 151:
      return spin_usleep(s->k, s->v, s->w);
    case 152:
      return spin_last(s->k, s->v, s->w);
    case 153:
      return spin_either(s->k, s->v, s->w);
    case 154:
      return spin_equal(s->k, s->v, s->w);
    case 155:
      return spin_nested(s->k, s->v, s->w);
    case 156:
      return spin_test_and_set(s->k, s->v, s->w);
    case 157:
      return spin_test_first(s->k, s->v, s->w);
    case 158:
      return spin_or(s->k, s->v, s->w);
    case 159:
      return spin_add_nothing(s->k, s->v, s->w);
    case 160:
      return spin_cas(s->k, s->v, s->w);
    case 161:
      return spin_cas_add(s->k, s->v, s->w);
    case 162:
      return spin_update(s->k, s->v, s->w);
    case 163:
      return spin_store(s->k, s->v, s->w);
    case 164:
      return spin_cas_update(s->k, s->v, s->w);
    case 165:
      return spin_update16(s->k, s->v, s->w);
    case 166:
      return spin_store16(s->k, s->v, s->w);
    case 167:
      return spin_cas16(s->k, s->v, s->w);
    case 168:
      return spin_update8(s->k, s->v, s->w);
    case 169:
      return spin_update1(s->k, s->v, s->w);
    case 170:
      return spin_high(s->k, s->v, s->w);
    case 171:
      return spin_semaphore(s->k, s->v, s->w);
    case 172:
      return spin_semaphore_or_flag(s->k, s->v, s->w);
    case 173:
      return spin_semaphore_value(s->k, s->v, s->w);
    case 174:
      return spin_once(s->k, s->v, s->w);
    case 175:
      return patient(s->k, s->v, s->w);
    case 176:
      return patient_while(s->k, s->v, s->w);
    case 177:
      return patient_counting(s->k, s->v, s->w);
    case 178:
      return patient_value(s->k, s->v, s->w);
    case 179:
      return patient_values(s->k, s->v, s->w);
    case 180:
      return patient_two(s->k, s->v, s->w);
    case 181:
      return patient_equal(s->k, s->v, s->w);
    case 182:
      return patient_twice(s->k, s->v, s->w);
    case 183:
      return patient_mixed(s->k, s->v, s->w);
    case 184:
      return patient_middle(s->k, s->v, s->w);
    case 185:
      return patient_between(s->k, s->v, s->w);
    case 186:
      return patient_cas(s->k, s->v, s->w);
    case 187:
      return patient_test_and_cas(s->k, s->v, s->w);
    case 188:
      return patient_acting(s->k, s->v, s->w);
    case 189:
      return patient_summing(s->k, s->v, s->w);
    case 190:
      return patient_remembering(s->k, s->v, s->w);
    case 191:
      return patient_uneven(s->k, s->v, s->w);
    case 192:
      return patient_storing(s->k, s->v, s->w);
    case 193:
      return patient_tracing(s->k, s->v, s->w);
    case 194:
      return backing_off(s->k, s->v, s->w);
    case 195:
      return backing_off_cas(s->k, s->v, s->w);
    case 196:
      return backing_off_counted(s->k, s->v, s->w);
    case 197:
      return spin_peeled(s->k, s->v, s->w);
    case 198:
      return spin_peeled_other(s->k, s->v, s->w);
    case 199:
      return spin_carried(s->k, s->v, s->w);
    case 200:
      return spin_cached(s->k, s->v, s->w);
    case 201:
      return spin_store_sometimes(s->k, s->v, s->w);
    case 202:
      return spin_store_first(s->k, s->v, s->w);
    case 203:
      return spin_cas_same(s->k, s->v, s->w);
    case 204:
      return spin_block(s->k, s->v, s->w);
    case 205:
      return spin_array(s->k, s->v, s->w);
    case 206:
      return set_and_signal(s->k, s->v, s->w);
    case 207:
      return set_and_broadcast(s->k, s->v, s->w);
    case 208:
      return wait_once(s->k, s->v, s->w);
    case 209:
      return wait_while(s->k, s->v, s->w);
    case 210:
      return wait_recursive(s->k, s->v, s->w);
    case 211:
      return signal_recursive(s->k, s->v, s->w);
    case 212:
      return semaphore_post(s->k, s->v, s->w);
    case 213:
      return semaphore_wait(s->k, s->v, s->w);
    case 214:
      return semaphore_try(s->k, s->v, s->w);
    case 215:
      return semaphore_value(s->k, s->v, s->w);
    case 216:
      return meet(s->k, s->v, s->w);
    case 217:
      return meet_and_look(s->k, s->v, s->w);
    case 218:
      return run_once_and_look(s->k, s->v, s->w);
    case 219:
      return own_count(s->k, s->v, s->w);
    case 220:
      return own_key(s->k, s->v, s->w);
    case 221:
      return make_key(s->k, s->v, s->w);
    case 222:
      return replace_node(s->k, s->v, s->w);
    case 223:
      return publish_node(s->k, s->v, s->w);
    case 224:
      return look_at_node(s->k, s->v, s->w);
    case 225:
      return write_text(s->k, s->v, s->w);
    case 226:
      return read_text(s->k, s->v, s->w);
    case 227:
      return print_text(s->k, s->v, s->w);
    case 228:
      return draw(s->k, s->v, s->w);
    case 229:
      return at_exit(s->k, s->v, s->w);
    case 230:
      return wait_counting(s->k, s->v, s->w);
    case 231:
      return nested_thread(s->k, s->v, s->w);
    case 232:
      return semaphore_in_time(s->k, s->v, s->w);
    case 233:
      return condition_in_time(s->k, s->v, s->w);
  }
  abort();
}
static void *thread(void *number) {
  uint64_t seen = 0;
  for (int n = 0; n < count; ++n)
    if (steps[n].thread == (int)(intptr_t)number) seen = add(seen, do_step(&steps[n]));
  if (when == 3 && !(main_works && (int)(intptr_t)number + 1 == thread_count))
    sem_post(&ended);
  return (void *)seen;
}
static uint64_t look(uint64_t seen) {
  switch (way) {
    case 0:
      if (used >> 0 & 1) {
      seen = words(seen, &atoms, sizeof atoms);
      }
      if (used >> 1 & 1) {
      seen = words(seen, &wide, sizeof wide);
      }
      if (used >> 2 & 1) {
      seen = words(seen, &mutex_data, sizeof mutex_data);
      }
      if (used >> 3 & 1) {
      seen = words(seen, &recursive_data, sizeof recursive_data);
      }
      if (used >> 4 & 1) {
      seen = words(seen, &checking_data, sizeof checking_data);
      }
      if (used >> 5 & 1) {
      seen = words(seen, &rwlock_data, sizeof rwlock_data);
      }
      if (used >> 6 & 1) {
      seen = words(seen, &spinlock_data, sizeof spinlock_data);
      }
      if (used >> 7 & 1) {
      seen = words(seen, &flag_data, sizeof flag_data);
      }
      if (used >> 8 & 1) {
      seen = words(seen, &turn_data, sizeof turn_data);
      }
      if (used >> 9 & 1) {
      seen = words(seen, &once_runs, sizeof once_runs);
      }
      if (used >> 10 & 1) {
      seen = words(seen, &text, sizeof text);
      }
      if (used >> 11 & 1) {
      seen = words(seen, &exits, sizeof exits);
      }
      
      break;
    case 1:
      if (used >> 0 & 1) {
      seen = bytes(seen, &atoms, sizeof atoms);
      }
      if (used >> 1 & 1) {
      seen = bytes(seen, &wide, sizeof wide);
      }
      if (used >> 2 & 1) {
      seen = bytes(seen, &mutex_data, sizeof mutex_data);
      }
      if (used >> 3 & 1) {
      seen = bytes(seen, &recursive_data, sizeof recursive_data);
      }
      if (used >> 4 & 1) {
      seen = bytes(seen, &checking_data, sizeof checking_data);
      }
      if (used >> 5 & 1) {
      seen = bytes(seen, &rwlock_data, sizeof rwlock_data);
      }
      if (used >> 6 & 1) {
      seen = bytes(seen, &spinlock_data, sizeof spinlock_data);
      }
      if (used >> 7 & 1) {
      seen = bytes(seen, &flag_data, sizeof flag_data);
      }
      if (used >> 8 & 1) {
      seen = bytes(seen, &turn_data, sizeof turn_data);
      }
      if (used >> 9 & 1) {
      seen = bytes(seen, &once_runs, sizeof once_runs);
      }
      if (used >> 10 & 1) {
      seen = bytes(seen, &text, sizeof text);
      }
      if (used >> 11 & 1) {
      seen = bytes(seen, &exits, sizeof exits);
      }
      
      break;
    case 2:
      if (used >> 0 & 1) {
      {
        __typeof__(atoms) copy;
        memcpy(&copy, &atoms, sizeof copy);
        seen = words(seen, &copy, sizeof copy);
      }
      }
      if (used >> 1 & 1) {
      {
        __typeof__(wide) copy;
        memcpy(&copy, &wide, sizeof copy);
        seen = words(seen, &copy, sizeof copy);
      }
      }
      if (used >> 2 & 1) {
      {
        __typeof__(mutex_data) copy;
        memcpy(&copy, &mutex_data, sizeof copy);
        seen = words(seen, &copy, sizeof copy);
      }
      }
      if (used >> 3 & 1) {
      {
        __typeof__(recursive_data) copy;
        memcpy(&copy, &recursive_data, sizeof copy);
        seen = words(seen, &copy, sizeof copy);
      }
      }
      if (used >> 4 & 1) {
      {
        __typeof__(checking_data) copy;
        memcpy(&copy, &checking_data, sizeof copy);
        seen = words(seen, &copy, sizeof copy);
      }
      }
      if (used >> 5 & 1) {
      {
        __typeof__(rwlock_data) copy;
        memcpy(&copy, &rwlock_data, sizeof copy);
        seen = words(seen, &copy, sizeof copy);
      }
      }
      if (used >> 6 & 1) {
      {
        __typeof__(spinlock_data) copy;
        memcpy(&copy, &spinlock_data, sizeof copy);
        seen = words(seen, &copy, sizeof copy);
      }
      }
      if (used >> 7 & 1) {
      {
        __typeof__(flag_data) copy;
        memcpy(&copy, &flag_data, sizeof copy);
        seen = words(seen, &copy, sizeof copy);
      }
      }
      if (used >> 8 & 1) {
      {
        __typeof__(turn_data) copy;
        memcpy(&copy, &turn_data, sizeof copy);
        seen = words(seen, &copy, sizeof copy);
      }
      }
      if (used >> 9 & 1) {
      {
        __typeof__(once_runs) copy;
        memcpy(&copy, &once_runs, sizeof copy);
        seen = words(seen, &copy, sizeof copy);
      }
      }
      if (used >> 10 & 1) {
      {
        __typeof__(text) copy;
        memcpy(&copy, &text, sizeof copy);
        seen = words(seen, &copy, sizeof copy);
      }
      }
      if (used >> 11 & 1) {
      {
        __typeof__(exits) copy;
        memcpy(&copy, &exits, sizeof copy);
        seen = words(seen, &copy, sizeof copy);
      }
      }
      
      break;
    case 3:
      if (used >> 0 & 1) {
      {
        __typeof__(atoms) copy = atoms;
        seen = words(seen, &copy, sizeof copy);
      }
      }
      if (used >> 1 & 1) {
      {
        __typeof__(wide) copy = wide;
        seen = words(seen, &copy, sizeof copy);
      }
      }
      if (used >> 2 & 1) {
      {
        __typeof__(mutex_data) copy = mutex_data;
        seen = words(seen, &copy, sizeof copy);
      }
      }
      if (used >> 3 & 1) {
      {
        __typeof__(recursive_data) copy = recursive_data;
        seen = words(seen, &copy, sizeof copy);
      }
      }
      if (used >> 4 & 1) {
      {
        __typeof__(checking_data) copy = checking_data;
        seen = words(seen, &copy, sizeof copy);
      }
      }
      if (used >> 5 & 1) {
      {
        __typeof__(rwlock_data) copy = rwlock_data;
        seen = words(seen, &copy, sizeof copy);
      }
      }
      if (used >> 6 & 1) {
      {
        __typeof__(spinlock_data) copy = spinlock_data;
        seen = words(seen, &copy, sizeof copy);
      }
      }
      if (used >> 7 & 1) {
      {
        __typeof__(flag_data) copy = flag_data;
        seen = words(seen, &copy, sizeof copy);
      }
      }
      if (used >> 8 & 1) {
      {
        __typeof__(turn_data) copy = turn_data;
        seen = words(seen, &copy, sizeof copy);
      }
      }
      if (used >> 9 & 1) {
      {
        __typeof__(once_runs) copy = once_runs;
        seen = words(seen, &copy, sizeof copy);
      }
      }
      if (used >> 10 & 1) {
      {
        __typeof__(text) copy = text;
        seen = words(seen, &copy, sizeof copy);
      }
      }
      if (used >> 11 & 1) {
      {
        __typeof__(exits) copy = exits;
        seen = words(seen, &copy, sizeof copy);
      }
      }
      
      break;
    case 4:
      if (used >> 0 & 1) {
      seen = add(seen, memcmp(&atoms, zeros, sizeof atoms) != 0);
      }
      if (used >> 1 & 1) {
      seen = add(seen, memcmp(&wide, zeros, sizeof wide) != 0);
      }
      if (used >> 2 & 1) {
      seen = add(seen, memcmp(&mutex_data, zeros, sizeof mutex_data) != 0);
      }
      if (used >> 3 & 1) {
      seen = add(seen, memcmp(&recursive_data, zeros, sizeof recursive_data) != 0);
      }
      if (used >> 4 & 1) {
      seen = add(seen, memcmp(&checking_data, zeros, sizeof checking_data) != 0);
      }
      if (used >> 5 & 1) {
      seen = add(seen, memcmp(&rwlock_data, zeros, sizeof rwlock_data) != 0);
      }
      if (used >> 6 & 1) {
      seen = add(seen, memcmp(&spinlock_data, zeros, sizeof spinlock_data) != 0);
      }
      if (used >> 7 & 1) {
      seen = add(seen, memcmp(&flag_data, zeros, sizeof flag_data) != 0);
      }
      if (used >> 8 & 1) {
      seen = add(seen, memcmp(&turn_data, zeros, sizeof turn_data) != 0);
      }
      if (used >> 9 & 1) {
      seen = add(seen, memcmp(&once_runs, zeros, sizeof once_runs) != 0);
      }
      if (used >> 10 & 1) {
      seen = add(seen, memcmp(&text, zeros, sizeof text) != 0);
      }
      if (used >> 11 & 1) {
      seen = add(seen, memcmp(&exits, zeros, sizeof exits) != 0);
      }
      
      break;
    case 5:
      if (used >> 0 & 1) {
      seen = words_atomically(seen, (unsigned *)&atoms, sizeof atoms);
      }
      if (used >> 1 & 1) {
      seen = words_atomically(seen, (unsigned *)&wide, sizeof wide);
      }
      if (used >> 2 & 1) {
      seen = words_atomically(seen, (unsigned *)&mutex_data, sizeof mutex_data);
      }
      if (used >> 3 & 1) {
      seen = words_atomically(seen, (unsigned *)&recursive_data, sizeof recursive_data);
      }
      if (used >> 4 & 1) {
      seen = words_atomically(seen, (unsigned *)&checking_data, sizeof checking_data);
      }
      if (used >> 5 & 1) {
      seen = words_atomically(seen, (unsigned *)&rwlock_data, sizeof rwlock_data);
      }
      if (used >> 6 & 1) {
      seen = words_atomically(seen, (unsigned *)&spinlock_data, sizeof spinlock_data);
      }
      if (used >> 7 & 1) {
      seen = words_atomically(seen, (unsigned *)&flag_data, sizeof flag_data);
      }
      if (used >> 8 & 1) {
      seen = words_atomically(seen, (unsigned *)&turn_data, sizeof turn_data);
      }
      if (used >> 9 & 1) {
      seen = words_atomically(seen, (unsigned *)&once_runs, sizeof once_runs);
      }
      if (used >> 10 & 1) {
      seen = words_atomically(seen, (unsigned *)&text, sizeof text);
      }
      if (used >> 11 & 1) {
      seen = words_atomically(seen, (unsigned *)&exits, sizeof exits);
      }
      
      break;
  }
  return seen;
}
static void *looker(void *seen) {
  *(uint64_t *)seen = look(*(uint64_t *)seen);
  return 0;
}
static uint64_t all;
static void tell(void) { heddle_outcome(look(all)); }
static int digit(const char **text) { return *(*text)++ - '0'; }
int main(int argc, char **argv) {
  const char *text = argv[1];
  if (argc > 2) bound = atoi(argv[2]);
  unsigned programs = 1, which = 0;
  for (const char *at = text; *at; ++at) programs += *at == '/';
  if (programs > 1) which = heddle_choose(programs);
  for (unsigned n = which; n > 0; --n) text = strchr(text, '/') + 1;
  way = digit(&text);
  when = digit(&text);
  main_works = digit(&text);
  early = digit(&text);
  meeting = digit(&text);
  thread_count = digit(&text);
  used = digit(&text) * 64;
  used += digit(&text);
  for (; *text && *text != '/'; ++count) {
    struct Step *s = &steps[count];
    s->thread = digit(&text);
    s->kind = digit(&text) * 64;
    s->kind += digit(&text);
    s->k = digit(&text);
    s->v = digit(&text);
    s->w = digit(&text);
  }
  pthread_spin_init(&spinlock[0], 0);
  pthread_spin_init(&spinlock[1], 0);
  sem_init(&turn[0], 0, 1);
  sem_init(&turn[1], 0, 1);
  sem_init(&semaphore, 0, 0);
  pthread_barrier_init(&barrier, 0, MEETING);
  pthread_key_create(&key, 0);
  if (when == 2) atexit(tell);
  sem_init(&ended, 0, 0);
  pthread_t threads[8];
  uint64_t seen = which;
  int created = thread_count - main_works;
  for (int n = 0; early && n < count; ++n)
    if (steps[n].thread == created) {
      seen = add(seen, do_step(&steps[n]));
      steps[n].thread = -1;
      break;
    }
  for (int n = 0; n < created; ++n)
    pthread_create(&threads[n], 0, thread, (void *)(intptr_t)n);
  if (main_works) seen = add(seen, (uint64_t)thread((void *)(intptr_t)created));
  switch (when) {
    case 0: {
  for (int n = 0; n < created; ++n) {
    void *result;
    pthread_join(threads[n], &result);
    seen = add(seen, (uint64_t)result);
  }
  heddle_outcome(look(seen));
  return 0;
    }
    case 1: {
  for (int n = 0; n < created; ++n) {
    void *result;
    pthread_join(threads[n], &result);
    seen = add(seen, (uint64_t)result);
  }
  pthread_t another;
  pthread_create(&another, 0, looker, &seen);
  pthread_join(another, 0);
  heddle_outcome(seen);
  return 0;
    }
    case 2: {
  for (int n = 0; n < created; ++n) {
    void *result;
    pthread_join(threads[n], &result);
    seen = add(seen, (uint64_t)result);
  }
  all = seen;
  return 0;
    }
    case 3: {
  for (int n = 0; n < created; ++n) sem_wait(&ended);
  seen = look(seen);
  for (int n = 0; n < created; ++n) {
    void *result;
    pthread_join(threads[n], &result);
    seen = add(seen, (uint64_t)result);
  }
  heddle_outcome(seen);
  return 0;
    }
    case 4: {
  for (int n = 0; n < created; ++n) {
    void *result;
    pthread_join(threads[n], &result);
    seen = add(seen, (uint64_t)result);
  }
  heddle_outcome(seen);
  return (int)(look(0) & 3);
    }
  }
  return 99;
}
