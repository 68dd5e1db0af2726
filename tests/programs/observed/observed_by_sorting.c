// A function that changes memory sees what was there: two atomic stores, and which came last.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int numbers[2];

static void* store(void* number) {
  __atomic_store_n(&numbers[0], *(int*)number, __ATOMIC_RELEASE);
  return 0;
}
static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

int main(void) {
  pthread_t one, two;
  int first = 1, second = 2;
  pthread_create(&one, 0, store, &first);
  pthread_create(&two, 0, store, &second);
  pthread_join(one, 0);
  pthread_join(two, 0);
  qsort(numbers, 2, sizeof numbers[0], compare);
  assert(numbers[1] != 1);  // here
}
