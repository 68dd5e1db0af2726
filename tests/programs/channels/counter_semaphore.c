// expect: verified
#include <assert.h>
#include <pthread.h>
#include <sys/eventfd.h>

static int counter;
static int inside;

static void* work(void* unused) {
  eventfd_t value;
  assert(eventfd_read(counter, &value) == 0 && value == 1);
  assert(++inside == 1);
  --inside;
  assert(eventfd_write(counter, 1) == 0);
  return unused;
}

int main(void) {
  counter = eventfd(1, EFD_SEMAPHORE);
  pthread_t threads[3];
  for (int k = 0; k < 3; ++k) pthread_create(&threads[k], 0, work, 0);
  for (int k = 0; k < 3; ++k) pthread_join(threads[k], 0);
}
