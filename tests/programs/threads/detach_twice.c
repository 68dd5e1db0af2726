// A thread detaches itself, and so does who created it.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int own;

static void* work(void* unused) {
  own = pthread_detach(pthread_self());
  sem_post(&done);
  return unused;
}

int main(void) {
  pthread_t a;
  sem_init(&done, 0, 0);
  pthread_create(&a, 0, work, 0);
  pthread_detach(a);
  sem_wait(&done);
  assert(own == 0);  // here
}
