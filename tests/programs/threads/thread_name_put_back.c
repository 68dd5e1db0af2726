// The name that a run gives to a thread is not there in the next.
// expect: verified optimal=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>

static atomic_int x;

static void* work(void* unused) {
  x = 1;
  return unused;
}

int main(void) {
  char name[16];
  prctl(PR_GET_NAME, name);
  assert(strcmp(name, "renamed") != 0);
  prctl(PR_SET_NAME, "renamed");
  prctl(PR_GET_NAME, name);
  assert(strcmp(name, "renamed") == 0);
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  const int seen = x;
  pthread_join(a, 0);
  return seen > 1;
}
