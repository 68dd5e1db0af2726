// Every run begins with the memory that the program began with.
// expect: verified optimal=2 observers=2
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static int zero, five = 5, *pointer;
static char page[3 * 4096];
static _Thread_local int own = 7;
static atomic_int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int calls(void) {
  static int n;
  return ++n;
}
static void* add(void* unused) {
  atomic_fetch_add(&x, 1);
  return unused;
}

int main(void) {
  pthread_t a;
  assert(zero == 0 && five == 5 && pointer == 0 && own == 7 && errno == 0 && calls() == 1);
  for (size_t i = 0; i < sizeof page; i += 512) assert(page[i] == 0);
  assert(pthread_mutex_trylock(&m) == 0);
  assert(rand() == 1804289383);
  zero = five = own = errno = 9;
  pointer = &five;
  memset(page, 1, sizeof page);
  pthread_create(&a, 0, add, 0);
  atomic_fetch_add(&x, 1);
  pthread_join(a, 0);
  assert(atomic_load(&x) == 2);
}
