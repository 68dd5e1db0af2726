// expect: finding data-race
// That a function only reads is no reason to leave out calls of it whose result is not used.
#include <pthread.h>
#include <string.h>

char text[8] = "a";

__attribute__((pure, noinline)) static int first(void) { return text[0]; }

void* reader(void* p) {
  first();
  return p;
}

void* writer(void* p) {
  text[0] = 'b';
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
