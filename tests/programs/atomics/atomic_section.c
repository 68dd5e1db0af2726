// Sections in one step: a queue of n values, and a thread that takes them as they come.
// expect: verified optimal=20 observers=20
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int head, tail;

static void* produce(void* unused) {
  for (int i = 0; i < 3; ++i) atomic_fetch_add(&tail, 1);
  return unused;
}
static void* consume(void* unused) {
  for (int i = 0; i < 3; ++i) {
    heddle_atomic_begin();
    const int first = atomic_load(&head);
    if (first != atomic_load(&tail)) atomic_store(&head, first + 1);
    heddle_atomic_end();
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, produce, 0);
  pthread_create(&b, 0, consume, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(atomic_load(&head) <= 3);
}
