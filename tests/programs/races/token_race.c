// expect: finding data-race
// strtok_r ends the token by writing into the string.
#include <pthread.h>
#include <string.h>

static char text[] = "a b c";

static void* look(void* p) { return text[1] == ' ' ? p : 0; }

int main(void) {
  pthread_t t;
  char* rest;
  pthread_create(&t, 0, look, 0);
  strtok_r(text, " ", &rest);
  pthread_join(t, 0);
  return 0;
}
