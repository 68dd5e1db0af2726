// expect: finding data-race
// Without the prefix, an update of memory is a read and a write.
#include <pthread.h>

int n;

void* work(void* p) {
  __asm__ __volatile__("incl %0" : "+m"(n) : : "cc");
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
