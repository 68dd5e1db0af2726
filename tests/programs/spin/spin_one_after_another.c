// The same loop waits for one flag after another, in one function, and in calls of one function. A
// thread that was stopped at the first flag is not stuck when it could continue to the second.
// expect: verified
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flags[4];

static void await(atomic_int* flag) {
  while (!atomic_load(flag)) {
  }
}

static void* look(void* unused) {
  await(&flags[0]);
  await(&flags[1]);
  for (int k = 2; k < 4; ++k)
    while (!atomic_load(&flags[k])) {
    }
  return unused;
}

static void* set(void* unused) {
  for (int k = 0; k < 4; ++k) atomic_store(&flags[k], 1);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, look, 0);
  pthread_create(&two, 0, set, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}
