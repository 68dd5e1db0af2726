// A string is compared, inside the C library, while another thread copies into it.
// expect: finding data-race
#include <pthread.h>
#include <string.h>

char name[16] = "old";

static void* rename_it(void* text) {
  strcpy(name, text);
  return 0;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, rename_it, "new");
  int same = strcmp(name, "old");
  pthread_join(a, 0);
  return same > 100;
}
