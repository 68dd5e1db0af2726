// Sorting by a pipe of N stages: a stage keeps the least of the values that come, and lets the
// others continue. N values are in flight at once, and of each stage they come in any order: N! * (N -
// 1)! * ... * 2! traces. Albert et al. 2017, table 2 (PSort), which does not give the program: this
// is made from its counts. The pipesort of the 2023 paper has others.
#include <assert.h>
#include <pthread.h>

#include "section.h"

#ifndef N
#define N 4
#endif

static struct {
  section s;
  int came, least;
} stages[N];

static void* go(void* at) {
  int value = (int)(long)at;
  for (int k = 0; k < N; ++k) {
    section_begin(&stages[k].s);
    const int stays = stages[k].came++ == 0;
    if (stays || value < stages[k].least) {
      const int kept = stages[k].least;
      stages[k].least = value;
      value = kept;
    }
    section_end(&stages[k].s);
    if (stays) break;
  }
  return 0;
}

int main(void) {
  for (int k = 0; k < N; ++k) section_init(&stages[k].s);
  pthread_t threads[N];
  for (long i = 0; i < N; ++i) pthread_create(&threads[i], 0, go, (void*)(N - i));
  for (int i = 0; i < N; ++i) pthread_join(threads[i], 0);
  for (int k = 0; k < N; ++k) assert(stages[k].least == k + 1);
}
