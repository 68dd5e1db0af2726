// Both threads may have added to the counter before it is read.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>

static int counter;

static void* add(void* unused) {
  assert(eventfd_write(counter, 1) == 0);
  return unused;
}

int main(void) {
  counter = eventfd(0, 0);
  pthread_t threads[2];
  for (int k = 0; k < 2; ++k) pthread_create(&threads[k], 0, add, 0);
  eventfd_t sum = 0, value;
  for (int k = 0; k < 2 && sum < 2; ++k) {
    assert(eventfd_read(counter, &value) == 0 && value >= 1);
    sum += value;
    assert(value == 1);  // here
  }
  for (int k = 0; k < 2; ++k) pthread_join(threads[k], 0);
}
