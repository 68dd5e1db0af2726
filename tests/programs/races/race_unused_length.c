// expect: finding data-race
// strlen reads, whether its result is used or not.
#include <pthread.h>
#include <string.h>

char text[8] = "a";

void* reader(void* p) {
  (void)strlen(text);
  return p;
}

void* writer(void* p) {
  text[1] = 'b';
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
