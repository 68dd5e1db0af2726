// Which of the two signals first is no matter for the state, but for what main has learned.
// expect: finding data-race
#include <pthread.h>
#include <stdatomic.h>

static long u, seen;
static int done;
static atomic_int steps;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void* one(void* unused) {
  pthread_mutex_lock(&m);
  seen = u;
  done = done + 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return unused;
}
static void* two(void* unused) {
  pthread_mutex_lock(&m);
  done = done + 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_mutex_lock(&m);
  while (done == 0) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  atomic_fetch_add_explicit(&steps, 1, memory_order_relaxed);
  u = 1;
  pthread_join(a, 0);
  pthread_join(b, 0);
}
