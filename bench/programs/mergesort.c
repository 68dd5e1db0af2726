// Mergesort of N elements by a tree of tasks: one that has several makes a task of each half, and a
// task tells the one it is a part of, in a section, that it is done. Two orders for each merge:
// 2^(N - 1) traces. Albert et al. 2023, table 1, which does not give the program.
#include <assert.h>
#include <pthread.h>

#include "section.h"

#ifndef N
#define N 4
#endif

struct task {
  int begin, end;
  struct task* of;  // this is a part of
  section s;
  int sorted;
};

static int a[N];

static void merge(int begin, int middle, int end) {
  int merged[N], left = begin, right = middle;
  for (int i = begin; i < end; ++i)
    merged[i] = right == end || (left < middle && a[left] < a[right]) ? a[left++] : a[right++];
  for (int i = begin; i < end; ++i) a[i] = merged[i];
}

static void* sort(void* at) {
  struct task* self = at;
  if (self->end - self->begin >= 2) {
    const int middle = (self->begin + self->end) / 2;
    struct task parts[2] = {{.begin = self->begin, .end = middle, .of = self},
                            {.begin = middle, .end = self->end, .of = self}};
    section_init(&self->s);
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, sort, &parts[i]);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    merge(self->begin, middle, self->end);
  } else {
    self->sorted = self->end - self->begin;
  }
  if (self->of != 0) {
    section_begin(&self->of->s);
    self->of->sorted += self->sorted;
    section_end(&self->of->s);
  }
  return 0;
}

int main(void) {
  for (int i = 0; i < N; ++i) a[i] = (i * 5 + 3) % 11 * 16 + i;
  struct task root = {.begin = 0, .end = N};
  sort(&root);
  assert(root.sorted == N);
  for (int i = 1; i < N; ++i) assert(a[i - 1] < a[i]);
}
