// While the reader waits, it looks at memory that the writer changes when the reader has continued:
// nothing orders the two. Runs in which the reader waits for more than a round are not needed for
// anything but this.
// options: --waiting-rounds 2
// expect: finding data-race line 22 or 15
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, gone_on;
static int statistics;

static void* reader(void* unused) {
  int seen = 0;
  while (!atomic_load_explicit(&ready, memory_order_acquire))
    seen += statistics;
  atomic_store_explicit(&gone_on, 1, memory_order_relaxed);
  return (void*)(long)seen;
}
static void* writer(void* unused) {
  atomic_store_explicit(&ready, 1, memory_order_release);
  while (!atomic_load_explicit(&gone_on, memory_order_relaxed)) {}
  statistics = 1;
  return unused;
}

int main(void) {
  pthread_t r, w;
  pthread_create(&r, 0, reader, 0);
  pthread_create(&w, 0, writer, 0);
  pthread_join(r, 0);
  pthread_join(w, 0);
}
