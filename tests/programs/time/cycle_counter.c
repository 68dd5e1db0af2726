// expect: verified
// cflags: -mrdrnd
// Time and random numbers of the processor are the same in each run.
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>
#include <x86intrin.h>

atomic_int sum;

void* work(void* p) {
  unsigned processor, random = 0;
  unsigned long long before = __rdtsc(), after = __rdtscp(&processor);
  assert(before < after);
  _rdrand32_step(&random);
  atomic_fetch_add(&sum, (int)(random + before + __builtin_readcyclecounter()) & 3);
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
