// A producer puts N values into a queue that is never full, and a consumer takes N times what is
// there, if anything: C(2 N, N) traces, but only 2^N outcomes. Albert et al. 2017, section 4 and
// table 1. The paper has methods of an actor; here each is a section.
#include <assert.h>
#include <pthread.h>

#include "section.h"

#ifndef N
#define N 5
#endif

static section s;
static int queue[N], head, tail;

static void* produce(void* unused) {
  for (int i = 1; i <= N; ++i) {
    section_begin(&s);
    queue[tail++] = i;
    section_end(&s);
  }
  return unused;
}
static void* consume(void* unused) {
  int last = 0;
  for (int i = 0; i < N; ++i) {
    int got = 0;
    section_begin(&s);
    if (head < tail) got = queue[head++];
    section_end(&s);
    assert(got == 0 || got == last + 1);
    if (got != 0) last = got;
  }
  return unused;
}

int main(void) {
  section_init(&s);
  pthread_t producer, consumer;
  pthread_create(&producer, 0, produce, 0);
  pthread_create(&consumer, 0, consume, 0);
  pthread_join(producer, 0);
  pthread_join(consumer, 0);
}
