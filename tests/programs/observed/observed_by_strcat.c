// The same, where what is written depends on what was there.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char text[16] = "abc";

static void* store(void* letter) {
  __atomic_store_n(&text[1], *(char*)letter, __ATOMIC_RELEASE);
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, store, "x");
  pthread_create(&two, 0, store, "");
  pthread_join(one, 0);
  pthread_join(two, 0);
  strcat(text, "z");
  assert(text[3] != 'z');  // here
}
