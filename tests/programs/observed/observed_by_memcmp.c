// A function of the C library is what sees the order of two atomic stores.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char text[8] = "abc";

static void* store(void* letter) {
  __atomic_store_n(&text[1], *(char*)letter, __ATOMIC_RELEASE);
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, store, "x");
  pthread_create(&two, 0, store, "y");
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(strcmp(text, "ayc") == 0);  // here
}
