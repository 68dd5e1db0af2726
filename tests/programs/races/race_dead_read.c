// expect: finding data-race line here
// A read whose value is not used is an access all the same.
#include <pthread.h>

int x;

void* writer(void* p) {
  x = 1;
  return p;
}

void* reader(void* p) {
  int v = x;  // here
  (void)v;
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
