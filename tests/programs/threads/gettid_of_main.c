// Main has the number of the process, and other threads have numbers of their own.
// expect: verified optimal=1 observers=1
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static void* work(void* out) {
  *(int*)out = gettid();
  assert(gettid() == syscall(SYS_gettid));
  return 0;
}

int main(void) {
  pthread_t a, b;
  int of_a, of_b;
  pthread_create(&a, 0, work, &of_a);
  pthread_create(&b, 0, work, &of_b);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(gettid() == getpid() && of_a != of_b && of_a != getpid() && of_b != getpid());
}
