// What realloc copied was written by the thread that called it.
// expect: finding data-race line 13 or 19
#include <pthread.h>
#include <stdlib.h>

int* _Atomic shared;
int sum;

void* grow(void* p) {
  int* numbers = malloc(sizeof *numbers);
  *numbers = 1;
  // its own write is in memory that is no more
  numbers = realloc(numbers, 2 * sizeof *numbers);
  __c11_atomic_store(&shared, numbers, __ATOMIC_RELAXED);
  return p;
}
void* add(void* p) {
  int* numbers = __c11_atomic_load(&shared, __ATOMIC_RELAXED);
  if (numbers != 0) sum += numbers[0];
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, grow, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  free(shared);
}
