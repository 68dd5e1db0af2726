// A thread that writes arrays of N, and one that checks the first element of each: 2^M traces, with
// or without observers, where M is N rounded down to an even number. Albert et al. 2023, table 2.
// The description there (4 N writers of one array, two readers) does not yield its counts; this is
// made from them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif
enum { arrays = N / 2 * 2 };

static atomic_int a[arrays][N];

static void* write_all(void* unused) {
  for (int k = 0; k < arrays; ++k)
    for (int i = 0; i < N; ++i) atomic_store(&a[k][i], 0);
  return unused;
}
static void* check_first(void* unused) {
  for (int k = 0; k < arrays; ++k) assert(atomic_load(&a[k][0]) == 0);
  return unused;
}

int main(void) {
  pthread_t writer, checker;
  pthread_create(&writer, 0, write_all, 0);
  pthread_create(&checker, 0, check_first, 0);
  pthread_join(writer, 0);
  pthread_join(checker, 0);
}
