// As little as a program with two threads can do.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static void* work(void* unused) { return atomic_store(&x, 1), unused; }

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  pthread_join(a, 0);
}
