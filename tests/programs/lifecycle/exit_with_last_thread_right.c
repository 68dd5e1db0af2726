// What all threads did is there when the last of them exits.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int plain[2];
static atomic_int x;
static void at_exit(void) { assert(plain[0] == 1 && plain[1] == 1 && x == 2); }

static void* work(void* argument) {
  *(int*)argument = 1;
  atomic_fetch_add(&x, 1);
  return 0;
}

int main(void) {
  pthread_t a, b;
  atexit(at_exit);
  pthread_create(&a, 0, work, &plain[0]);
  pthread_create(&b, 0, work, &plain[1]);
  pthread_detach(a);
  pthread_detach(b);
  pthread_exit(0);
}
