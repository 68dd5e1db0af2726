// Attributes are kept, and a thread has the stack it was promised.
// expect: verified optimal=1 observers=1
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <pthread.h>
#include <string.h>

enum { size = 4 << 20 };

static void* work(void* sum) {
  char large[size - (512 << 10)];
  memset(large, 1, sizeof large);
  for (size_t i = 0; i < sizeof large; i += 4096) *(long*)sum += large[i];
  return 0;
}

int main(void) {
  pthread_attr_t attributes;
  pthread_t a;
  size_t stack = 0;
  int detached = -1;
  long sum = 0;
  pthread_attr_init(&attributes);
  assert(pthread_attr_setstacksize(&attributes, size) == 0);
  assert(pthread_attr_getstacksize(&attributes, &stack) == 0 && stack == size);
  assert(pthread_attr_getdetachstate(&attributes, &detached) == 0);
  assert(detached == PTHREAD_CREATE_JOINABLE);
  assert(pthread_create(&a, &attributes, work, &sum) == 0);
  pthread_attr_destroy(&attributes);
  pthread_join(a, 0);
  assert(sum == (size - (512 << 10)) / 4096);
}
