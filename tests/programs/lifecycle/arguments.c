// The program gets its arguments, in every run the same.
// args: 7 "two words" --json
// expect: verified optimal=2 observers=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_int x;

static void* add(void* amount) {
  atomic_fetch_add(&x, atoi(amount));
  return 0;
}

int main(int argc, char** argv) {
  pthread_t a;
  assert(argc == 4 && strcmp(argv[2], "two words") == 0 && strcmp(argv[3], "--json") == 0);
  assert(argv[4] == 0 && strcmp(argv[1], "7") == 0);
  pthread_create(&a, 0, add, argv[1]);
  atomic_fetch_add(&x, 1);
  pthread_join(a, 0);
  assert(atomic_load(&x) == 8);
  memset(argv[2], 0, strlen(argv[2]));
  argv[1][0] = '8';
}
