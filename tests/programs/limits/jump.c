// setjmp and longjmp within a thread, across steps that others take.
// expect: verified optimal=6 observers=6
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

static atomic_int x;

static void deep(jmp_buf back, int n) {
  if (n > 0) deep(back, n - 1);
  atomic_fetch_add(&x, 1);
  longjmp(back, 5);
}
static void* work(void* unused) {
  jmp_buf back;
  const int way = setjmp(back);
  if (way == 0) deep(back, 3);
  assert(way == 5);
  atomic_fetch_add(&x, 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(atomic_load(&x) == 4);
}
