// Three threads register a function for exit each: all orders are explored.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int called;
static void last(void) {
  assert(called != 312);  // here
}
static void first(void) { called = called * 10 + 1; }
static void second(void) { called = called * 10 + 2; }
static void third(void) { called = called * 10 + 3; }

static void* work(void* function) {
  atexit((void (*)(void))function);
  return 0;
}

int main(void) {
  pthread_t threads[3];
  void (*functions[])(void) = {first, second, third};
  atexit(last);
  for (int k = 0; k < 3; ++k) pthread_create(&threads[k], 0, work, (void*)functions[k]);
  for (int k = 0; k < 3; ++k) pthread_join(threads[k], 0);
}
