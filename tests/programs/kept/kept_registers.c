// What the reader has seen is in registers and slots of its frame, more than there are registers,
// until it looks at all of it: two states that differ in one of these values are not the same.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, noise;

static void* write_once(void* unused) {
  atomic_store(&x, 1);
  return unused;
}

static void* read_often(void* unused) {
  const int a = atomic_load(&x), b = atomic_load(&x), c = atomic_load(&x), d = atomic_load(&x);
  const int e = atomic_load(&x), f = atomic_load(&x), g = atomic_load(&x), h = atomic_load(&x);
  atomic_fetch_add(&noise, 1);
  // Only if the write came in the middle.
  assert(a + 2 * b + 4 * c + 8 * d + 16 * e + 32 * f + 64 * g + 128 * h != 0xf0);  // here
  return unused;
}

int main(void) {
  pthread_t writer, reader;
  pthread_create(&writer, 0, write_once, 0);
  pthread_create(&reader, 0, read_often, 0);
  atomic_fetch_add(&noise, 1);
  pthread_join(writer, 0);
  pthread_join(reader, 0);
}
