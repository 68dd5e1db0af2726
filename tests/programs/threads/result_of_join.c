// expect: finding data-race
// What pthread_join writes through its argument is an access like any other.
#include <pthread.h>

static void* result;
static pthread_t first;

static void* run(void* p) { return p; }
static void* look(void* p) { return result; }

int main(void) {
  pthread_t second;
  pthread_create(&first, 0, run, &first);
  pthread_create(&second, 0, look, 0);
  pthread_join(first, &result);
  pthread_join(second, 0);
  return 0;
}
