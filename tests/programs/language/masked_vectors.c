// expect: verified
// cflags: -mavx2
#include <immintrin.h>
#include <pthread.h>

_Alignas(32) int values[8];

void* even(void* p) {
  if (!__builtin_cpu_supports("avx2")) return p;
  const __m256i mask = _mm256_set_epi32(0, -1, 0, -1, 0, -1, 0, -1);
  __m256i v = _mm256_maskload_epi32(values, mask);
  _mm256_maskstore_epi32(values, mask, _mm256_add_epi32(v, mask));
  return p;
}
void* odd(void* p) {
  for (int k = 1; k < 8; k += 2) values[k] = k;
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, even, 0);
  pthread_create(&b, 0, odd, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
