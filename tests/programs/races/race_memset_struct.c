// A structure is assigned, and cleared, as a whole: each is an access of all of it.
// expect: finding data-race
#include <pthread.h>
#include <string.h>

struct large {
  long fields[20];
};
struct large shared, local;

static void* clear(void* unused) {
  memset(&shared, 0, sizeof shared);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, clear, 0);
  local = shared;
  pthread_join(a, 0);
}
