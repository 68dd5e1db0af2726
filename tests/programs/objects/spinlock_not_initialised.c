// A spinlock has no static initialiser: one of all zeros is held by no thread, for ever.
// expect: finding lock-misuse line here
#include <pthread.h>

static pthread_spinlock_t lock;
static int n;

static void* work(void* unused) {
  pthread_spin_lock(&lock);  // here
  ++n;
  pthread_spin_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
}
