// Threads that fill a hash table: up to 11 of them never meet, and from there on each meets others
// three times: 8 traces for 12, 4096 for 15. Flanagan and Godefroid 2005; parallel Concuerror
// (2018), table 6.1.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 12
#endif
enum { size = 128, messages = 4 };

static atomic_int table[size];

static void* work(void* self) {
  for (int m = 1; m <= messages; ++m) {
    const int w = m * 11 + (int)(long)self;
    int h = w * 7 % size, expected = 0;
    while (!atomic_compare_exchange_strong(&table[h], &expected, w)) {
      h = (h + 1) % size;
      expected = 0;
    }
  }
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; ++i) pthread_create(&threads[i], 0, work, (void*)i);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], 0);
}
