// A seqlock as kernels have it: writers take a spinlock, readers wait while the number is odd and
// try again if it has changed.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct seqlock {
  atomic_uint sequence;
  atomic_flag lock;
};
static struct seqlock lock = {0, ATOMIC_FLAG_INIT};
static _Atomic long x, y;

static unsigned read_begin(struct seqlock* s) {
  unsigned seen;
#ifdef BROKEN
  seen = atomic_load_explicit(&s->sequence, memory_order_acquire);
#else
  while ((seen = atomic_load_explicit(&s->sequence, memory_order_acquire)) & 1)
    __builtin_ia32_pause();
#endif
  return seen;
}
static int read_retry(struct seqlock* s, unsigned seen) {
  atomic_thread_fence(memory_order_acquire);
  return atomic_load_explicit(&s->sequence, memory_order_relaxed) != seen;
}
static void write_begin(struct seqlock* s) {
  while (atomic_flag_test_and_set_explicit(&s->lock, memory_order_acquire)) __builtin_ia32_pause();
  atomic_store_explicit(&s->sequence, atomic_load_explicit(&s->sequence, memory_order_relaxed) + 1,
                        memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
}
static void write_end(struct seqlock* s) {
  atomic_store_explicit(&s->sequence, atomic_load_explicit(&s->sequence, memory_order_relaxed) + 1,
                        memory_order_release);
  atomic_flag_clear_explicit(&s->lock, memory_order_release);
}

static void* writer(void* by) {
  const long amount = (long)(size_t)by;
  write_begin(&lock);
  atomic_store_explicit(&x, atomic_load_explicit(&x, memory_order_relaxed) + amount,
                        memory_order_relaxed);
  atomic_store_explicit(&y, atomic_load_explicit(&y, memory_order_relaxed) - amount,
                        memory_order_relaxed);
  write_end(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, (void*)1);
  pthread_create(&b, NULL, writer, (void*)2);
  unsigned seen;
  long sx, sy;
  do {
    seen = read_begin(&lock);
    sx = atomic_load_explicit(&x, memory_order_relaxed);
    sy = atomic_load_explicit(&y, memory_order_relaxed);
  } while (read_retry(&lock, seen));
  assert(sx + sy == 0);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(x == 3 && y == -3);
}
