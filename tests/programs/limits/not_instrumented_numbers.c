// Functions from numbers to numbers that are not known may access memory all the same.
// expect: verified
// expect: limit memory accesses inside these uninstrumented library functions are not checked: current_rate, scaled
#include <pthread.h>

double scaled(double), current_rate(void);
__asm__("scaled: ret\ncurrent_rate: xorps %xmm0, %xmm0\nret");

double results[2];

void* compute(void* p) {
  results[0] = scaled(2);
  return p;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, compute, 0);
  results[1] = current_rate();
  pthread_join(a, 0);
}
