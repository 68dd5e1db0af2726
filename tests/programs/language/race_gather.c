// expect: finding data-race line here or 13
// cflags: -mavx2
#include <immintrin.h>
#include <pthread.h>

int values[8], sum;

void* gather(void* p) {
  __m128i v = _mm_i32gather_epi32(values, _mm_set_epi32(6, 4, 2, 0), 4);  // here
  sum = _mm_cvtsi128_si32(v);
  return p;
}
void* set(void* p) { return values[*(int*)p] = 4, p; }

int main(void) {
  int which = 4;
  pthread_t a, b;
  pthread_create(&a, 0, gather, 0);
  pthread_create(&b, 0, set, &which);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
