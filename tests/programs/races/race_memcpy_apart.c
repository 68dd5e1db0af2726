// Two threads fill one half of a buffer each, up to the last byte: that is not a race.
// expect: verified optimal=1 observers=1
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char buffer[101];

static void* fill(void* from) {
  char text[50];
  memset(text, 'x', sizeof text);
  memcpy(from, text, sizeof text);
  memmove((char*)from + 1, from, sizeof text - 1);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, fill, buffer);
  pthread_create(&b, 0, fill, buffer + 50);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(strlen(buffer) == 100);
}
