// Two wait and one is signalled: it can be the second, whichever began to wait before.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static long waiting, open, woken;

static void* wait(void* id) {
  pthread_mutex_lock(&m);
  ++waiting;
  if (!open) pthread_cond_wait(&c, &m);
  if (woken == 0) woken = (long)id;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, wait, (void*)1);
  pthread_create(&b, 0, wait, (void*)2);
  pthread_mutex_lock(&m);
  const long both = waiting == 2;
  open = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(!both || woken != 2);  // here
}
