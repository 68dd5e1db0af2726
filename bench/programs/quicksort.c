// Quicksort by a tree of tasks: one that has elements takes a pivot and makes a task of each side,
// and a task tells the one it is a part of, in a section, how many it has sorted. Two orders for
// each pivot. Albert et al. 2023, table 1, which does not give the program; its counts, 2^(N + 3),
// say that there are N + 3 pivots, so there are as many elements here.
#include <assert.h>
#include <pthread.h>

#include "section.h"

#ifndef N
#define N 2
#endif
enum { elements = N + 3 };

struct task {
  int begin, end;
  struct task* of;  // this is a part of
  section s;
  int sorted;
};

static int a[elements];

static int partition(int begin, int end) {
  const int pivot = a[begin];
  int at = begin;
  for (int i = begin + 1; i < end; ++i)
    if (a[i] < pivot) {
      a[at++] = a[i];
      a[i] = a[at];
    }
  a[at] = pivot;
  return at;
}

static void* sort(void* at) {
  struct task* self = at;
  if (self->begin < self->end) {
    const int pivot = partition(self->begin, self->end);
    struct task parts[2] = {{.begin = self->begin, .end = pivot, .of = self},
                            {.begin = pivot + 1, .end = self->end, .of = self}};
    section_init(&self->s);
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, sort, &parts[i]);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    ++self->sorted;  // the pivot
  }
  if (self->of != 0) {
    section_begin(&self->of->s);
    self->of->sorted += self->sorted;
    section_end(&self->of->s);
  }
  return 0;
}

int main(void) {
  for (int i = 0; i < elements; ++i) a[i] = (i * 5 + 3) % 11 * 16 + i;
  struct task root = {.begin = 0, .end = elements};
  sort(&root);
  assert(root.sorted == elements);
  for (int i = 1; i < elements; ++i) assert(a[i - 1] < a[i]);
}
