// strtok keeps where it was for all threads.
// expect: finding data-race
#include <pthread.h>
#include <string.h>

static void* work(void* text) {
  strtok(text, " ");
  return 0;
}

int main(void) {
  pthread_t a, b;
  char of_a[] = "one two", of_b[] = "three four";
  pthread_create(&a, 0, work, of_a);
  pthread_create(&b, 0, work, of_b);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
