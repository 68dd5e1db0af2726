// No thread joins the thread, though main waits for what it does.
// expect: verified
// expect: warning never joined
// allow: main returns while
#include <pthread.h>
#include <semaphore.h>

static sem_t done;

static void* work(void* unused) {
  sem_post(&done);
  return unused;
}

int main(void) {
  pthread_t a;
  sem_init(&done, 0, 0);
  pthread_create(&a, 0, work, 0);
  sem_wait(&done);
}
