// A thread ends the process, with a status that says that something is wrong.
// expect: finding exit
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void* check(void* unused) {
  if (atomic_load(&x) == 1) exit(3);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, check, 0);
  atomic_store(&x, 1);
  atomic_store(&x, 2);
  pthread_join(a, 0);
}
