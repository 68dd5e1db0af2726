// A destructor that sets the value again is called again; a deleted key has no destructor any more.
// expect: verified optimal=1 observers=1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t again, deleted;
static long calls, wrong;

static void set_again(void* left) {
  ++calls;
  assert(pthread_getspecific(again) == 0);
  if (*(long*)left == 0) {
    free(left);
    return;
  }
  --*(long*)left;
  pthread_setspecific(again, left);
}
static void never(void* unused) {
  (void)unused;
  ++wrong;
}

static void* work(void* unused) {
  long* left = malloc(sizeof *left);
  *left = 2;
  pthread_setspecific(again, left);
  pthread_setspecific(deleted, left);
  pthread_key_delete(deleted);
  return unused;
}

int main(void) {
  pthread_t a;
  assert(pthread_key_create(&again, set_again) == 0);
  assert(pthread_key_create(&deleted, never) == 0);
  pthread_create(&a, 0, work, 0);
  pthread_join(a, 0);
  assert(calls == 3 && wrong == 0);
}
