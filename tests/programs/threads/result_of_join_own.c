// expect: verified
// pthread_join writes when the thread has ended: what that wrote there comes before.
#include <assert.h>
#include <pthread.h>

static void* result;

static void* run(void* p) {
  result = 0;
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, &result);
  pthread_join(t, &result);
  assert(result == &result);
  return 0;
}
