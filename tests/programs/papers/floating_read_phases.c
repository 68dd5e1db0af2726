// Two writers of two variables, and a reader of both at any time.
// expect: verified optimal=36 observers=25
#include <pthread.h>
#include <stdatomic.h>

static atomic_long x, y;

static void* writer(void* value) {
  atomic_store(&x, (long)value);
  atomic_store(&y, (long)value);
  return 0;
}
static void* reader(void* unused) {
  (void)unused;
  const long seen_x = atomic_load(&x);
  return (void*)(seen_x + atomic_load(&y));
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, writer, (void*)1);
  pthread_create(&b, 0, writer, (void*)2);
  pthread_create(&c, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
}
