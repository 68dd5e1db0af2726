// expect: verified
// Only what is printed is written, not the whole buffer; only so much of a string is read as the
// format says.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static char buffer[64], name[] = "abcdef";

static void* other(void* p) {
  buffer[32] = 'x';
  name[4] = 'x';
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  snprintf(buffer, sizeof buffer, "%.3s %d", name, 5);
  pthread_join(t, 0);
  assert(buffer[2] == 'c' && buffer[32] == 'x');
  return 0;
}
