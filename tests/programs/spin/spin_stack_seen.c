// A waiting loop changes a variable on its stack and changes it back: another thread, which takes
// the lock in between, sees each of that, round for round.
// expect: finding assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int acknowledged, done;
int *shown;

static int look(void) {
  pthread_mutex_lock(&m);
  int seen = *shown;
  pthread_mutex_unlock(&m);
  return seen;
}

static void *other(void *unused) {
  int first = look();
  acknowledged = 1;
  int second = look(), third = look();
  done = 1;
  assert(!(first == 1 && second == 0 && third == 1));
  return 0;
}

static void set(int value) {
  pthread_mutex_lock(&m);
  *shown = value;
  pthread_mutex_unlock(&m);
}

int main(void) {
  int variable = 0;
  shown = &variable;
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  while (!done) {
    set(1);
    while (!acknowledged) {
    }
    set(0);
  }
  pthread_join(t, 0);
}
