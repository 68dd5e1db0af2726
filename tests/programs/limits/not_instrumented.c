// expect: verified
// expect: limit memory accesses inside these uninstrumented functions are not checked: by_pointer (
// expect: limit increment (
#include <pthread.h>

int x;
__attribute__((disable_sanitizer_instrumentation, noinline)) static void increment(void) { ++x; }
__attribute__((disable_sanitizer_instrumentation)) void* by_pointer(void* p) { return ++x, p; }

void* work(void* p) {
  increment();
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, by_pointer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
