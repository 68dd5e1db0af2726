// Threads that fill a hash table (Flanagan and Godefroid 2005): up to 11 of them never meet, the
// twelfth meets another three times.
// expect: verified optimal=8 observers=8
#include <pthread.h>
#include <stdatomic.h>

enum { N = 12, size = 128, messages = 4 };
static atomic_long table[size];

static void* work(void* self) {
  for (int m = 1; m <= messages; ++m) {
    const long w = m * 11 + (long)self;
    long h = w * 7 % size, expected = 0;
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
