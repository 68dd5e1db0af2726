// expect: finding data-race
#include <immintrin.h>
#include <pthread.h>

_Alignas(16) char bytes[16];

void* store(void* p) {
  _mm_maskmoveu_si128(_mm_set1_epi8(1), _mm_set_epi32(0, 0, -1, 0), bytes);
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, store, 0);
  pthread_create(&b, 0, store, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
