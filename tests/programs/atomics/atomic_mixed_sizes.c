// A byte inside a word: a thread that reads the word can see it or not.
// expect: verified optimal=2 observers=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static union {
  atomic_uint word;
  atomic_uchar bytes[4];
} both;

static void* store(void* unused) {
  atomic_store(&both.bytes[1], 1);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, store, 0);
  const unsigned seen = atomic_load(&both.word);
  assert(seen == 0 || seen == 256);
  pthread_join(a, 0);
  assert(atomic_load(&both.word) == 256);
}
