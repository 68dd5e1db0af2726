// expect: verified
// strtok_r goes no further than the token.
#include <pthread.h>
#include <string.h>

static char text[] = "a b c";

static void* change(void* p) {
  text[4] = 'd';
  return 0;
}

int main(void) {
  pthread_t t;
  char* rest;
  pthread_create(&t, 0, change, 0);
  strtok_r(text, " ", &rest);
  pthread_join(t, 0);
  return 0;
}
