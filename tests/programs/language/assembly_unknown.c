// expect: verified
// expect: limit inline assembly is not checked
// expect: limit assembly_unknown.c:10
#include <pthread.h>

char from[8] = "abcdefg", to[8];

void* copy(void* p) {
  const char* source = from; char* target = to; long n = sizeof from;
  __asm__ __volatile__("rep movsb" : "+D"(target), "+S"(source), "+c"(n) : : "memory");
  return p;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, copy, 0);
  pthread_join(a, 0);
  return to[0] != 'a';
}
