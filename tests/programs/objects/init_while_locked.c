// expect: finding lock-misuse or assertion
// options: --races explore
// A mutex is initialised while another thread may have it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int inside;

static void enter(void) {
  pthread_mutex_lock(&mutex);
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  pthread_mutex_unlock(&mutex);
}
static void* first(void* p) {
  enter();
  return 0;
}
static void* second(void* p) {
  pthread_mutex_init(&mutex, 0);
  enter();
  return 0;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
