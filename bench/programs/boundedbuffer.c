// A producer and a consumer at a ring of N slots, N times each: one that finds it full or empty continues
// without. C(2 N, N) traces. Albert et al. 2023, table 1, which does not say how large the buffer
// is: its counts are those of one that is never full.
#include <assert.h>
#include <pthread.h>

#include "section.h"

#ifndef N
#define N 7
#endif

static section s;
static int slots[N], count, head, tail;

static void* produce(void* unused) {
  for (int i = 1; i <= N; ++i) {
    section_begin(&s);
    if (count < N) {
      slots[tail] = i;
      tail = (tail + 1) % N;
      ++count;
    }
    section_end(&s);
  }
  return unused;
}
static void* consume(void* unused) {
  int last = 0;
  for (int i = 0; i < N; ++i) {
    int got = 0;
    section_begin(&s);
    if (count > 0) {
      got = slots[head];
      head = (head + 1) % N;
      --count;
    }
    section_end(&s);
    assert(got == 0 || got > last);
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
