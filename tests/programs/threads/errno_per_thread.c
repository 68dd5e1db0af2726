// Each thread has an errno of its own, which a switch does not change.
// expect: verified optimal=2 observers=2
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* work(void* value) {
  assert(errno == 0);
  errno = (int)(long)value;
  atomic_fetch_add(&x, 1);
  assert(errno == (int)(long)value);
  return 0;
}

int main(void) {
  pthread_t a, b;
  errno = 3;
  pthread_create(&a, 0, work, (void*)1);
  pthread_create(&b, 0, work, (void*)2);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(errno == 3);
}
