// expect: finding data-race
// Of a copy, the parts that are not used are read as well.
#include <pthread.h>

struct triple {
  long first, second, third;
} shared;
long seen;

void* writer(void* p) {
  shared.third = 1;
  return p;
}

void* reader(void* p) {
  struct triple copy = shared;
  seen = copy.first;
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
