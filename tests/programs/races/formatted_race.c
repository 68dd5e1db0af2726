// expect: finding data-race
// A string is read by way of %s, while another thread writes it.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char name[16] = "nobody";

static void* rename_it(void* p) {
  strcpy(name, "someone");
  return 0;
}

int main(void) {
  pthread_t t;
  char text[64];
  pthread_create(&t, 0, rename_it, 0);
  snprintf(text, sizeof text, "%5d %.3f is %s", 4, 0.5, name);
  pthread_join(t, 0);
  return 0;
}
