// What a thread returns, or gives to pthread_exit, is what pthread_join hands over.
// expect: verified optimal=1 observers=1
#include <assert.h>
#include <pthread.h>

static void leave(long value) { pthread_exit((void*)value); }

static void* returns(void* value) { return (char*)value + 1; }
static void* exits(void* value) {
  leave((long)value + 2);
  return 0;
}

int main(void) {
  pthread_t a, b, c;
  void *from_a, *from_b;
  pthread_create(&a, 0, returns, (void*)10);
  pthread_create(&b, 0, exits, (void*)20);
  pthread_create(&c, 0, exits, (void*)30);
  assert(pthread_join(a, &from_a) == 0 && pthread_join(b, &from_b) == 0);
  assert(pthread_join(c, 0) == 0);
  assert(from_a == (void*)11 && from_b == (void*)22);
}
