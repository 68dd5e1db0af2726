// Keys with destructors, pthread_exit, and what pthread_join returns.
// expect: verified optimal=1 observers=1
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static long destroyed[2];

static void destroy(void* index) { destroyed[(long)index - 1] = 1; }

static void* work(void* index) {
  assert(pthread_getspecific(key) == 0);
  pthread_setspecific(key, index);
  assert(pthread_getspecific(key) == index);
  pthread_exit(index);
}

int main(void) {
  pthread_t a, b;
  void *from_a, *from_b;
  pthread_key_create(&key, destroy);
  pthread_create(&a, 0, work, (void*)1);
  pthread_create(&b, 0, work, (void*)2);
  pthread_join(a, &from_a);
  pthread_join(b, &from_b);
  assert(from_a == (void*)1 && from_b == (void*)2);
  assert(destroyed[0] && destroyed[1]);
}
