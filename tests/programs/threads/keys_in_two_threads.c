// Two threads make a key each: which number it has depends on who comes first.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>

static pthread_key_t first, second;

static void* work(void* unused) {
  pthread_key_create(&second, 0);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  pthread_key_create(&first, 0);
  pthread_join(a, 0);
  assert(first < second);  // here
}
