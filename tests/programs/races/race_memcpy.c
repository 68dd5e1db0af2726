// A buffer is copied while another thread writes its last byte.
// expect: finding data-race
#include <pthread.h>
#include <string.h>

char buffer[100], copy[100];

static void* write_it(void* unused) {
  buffer[99] = 1;
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, write_it, 0);
  memcpy(copy, buffer, sizeof copy);
  pthread_join(a, 0);
}
