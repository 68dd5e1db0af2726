// A thread that waits on a condition is cancelled: its handler releases the mutex that it has
// taken again. Or it is signalled before.
// expect: verified
// expect: limit threads are cancelled where they wait
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, cleaned;

static void clean(void* p) {
  cleaned = 1;
  pthread_mutex_unlock(p);
}

static void* wait(void* p) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push(clean, &m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_cleanup_pop(0);
  pthread_mutex_unlock(&m);
  return p;
}

static void* tell(void* p) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return p;
}

int main(void) {
  pthread_t a, b;
  void* result;
  pthread_create(&a, 0, wait, 0);
  pthread_create(&b, 0, tell, 0);
  pthread_cancel(a);
  pthread_join(a, &result);
  pthread_join(b, 0);
  assert(result == (cleaned ? PTHREAD_CANCELED : 0));
  assert(pthread_mutex_trylock(&m) == 0);
}
