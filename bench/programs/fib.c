// The N-th Fibonacci number by a tree of tasks. Each adds its result to that of the task it is a
// part of, in a section: two orders for each task of two or more, so 2, 4, 16, 128 traces for N = 2
// .. 5. Albert et al. 2023, table 1. The paper does not give the program: this is made from its
// counts.
#include <assert.h>
#include <pthread.h>

#include "section.h"

#ifndef N
#define N 4
#endif

struct task {
  int n;
  struct task* of;  // this is a part of
  section s;
  int sum;
};

static void* fib(void* at) {
  struct task* self = at;
  int result = self->n;
  if (self->n >= 2) {
    struct task parts[2] = {{.n = self->n - 1, .of = self}, {.n = self->n - 2, .of = self}};
    section_init(&self->s);
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, fib, &parts[i]);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    result = self->sum;
  }
  if (self->of != 0) {
    section_begin(&self->of->s);
    self->of->sum += result;
    section_end(&self->of->s);
  }
  return 0;
}

int main(void) {
  static const int numbers[] = {0, 1, 1, 2, 3, 5, 8, 13, 21};
  struct task root = {.n = N};
  fib(&root);
  assert(root.sum == numbers[N]);
}
