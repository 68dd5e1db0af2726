// Fibonacci numbers by a tree of threads, each of which adds what its children found: 2^4 traces.
// expect: verified optimal=16 observers=16
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct task {
  int n;
  atomic_int* out;
};

static void* fib(void* at) {
  struct task* self = at;
  atomic_int sum;
  atomic_init(&sum, 0);
  if (self->n < 2) {
    atomic_fetch_add(self->out, self->n);
    return 0;
  }
  struct task children[2] = {{self->n - 1, &sum}, {self->n - 2, &sum}};
  pthread_t a, b;
  pthread_create(&a, 0, fib, &children[0]);
  pthread_create(&b, 0, fib, &children[1]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  atomic_fetch_add(self->out, atomic_load(&sum));
  return 0;
}

int main(void) {
  atomic_int result;
  atomic_init(&result, 0);
  struct task root = {4, &result};
  fib(&root);
  assert(atomic_load(&result) == 3);
}
