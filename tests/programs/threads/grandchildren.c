// Two threads create one each. Whose child comes first differs from run to run: in the one that
// fails, the second's does. Its schedule replays in a process that has seen no other run.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void* child(void* number) {
  done = (int)(long)number;
  return NULL;
}

static void* parent(void* number) {
  pthread_t t;
  int before = done;
  assert(number == (void*)2 || before != 2);  // here
  pthread_create(&t, NULL, child, number);
  pthread_join(t, NULL);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, parent, (void*)1);
  pthread_create(&b, NULL, parent, (void*)2);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
