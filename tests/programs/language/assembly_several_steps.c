// A read and a write in one piece of assembly: others can come in between, which cannot be tried.
// expect: verified
// expect: limit inline assembly is not checked
// expect: limit assembly_several_steps.c:12
#include <pthread.h>

int counter;

void* count(void* p) {
  int value;
  // not one step
  __asm__ __volatile__("movl %1, %0\n\tincl %0\n\tmovl %0, %1" : "=&r"(value), "+m"(counter));
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, count, 0);
  pthread_create(&b, 0, count, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
