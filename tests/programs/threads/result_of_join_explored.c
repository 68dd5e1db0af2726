// expect: finding abort
// options: --races explore
// The write of pthread_join is a step where it races.
#include <pthread.h>
#include <stdlib.h>

static void* result;

static void* run(void* p) { return (void*)1; }
static void* join(void* p) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, &result);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, join, 0);
  if (result == (void*)1) abort();
  pthread_join(t, 0);
  return 0;
}
