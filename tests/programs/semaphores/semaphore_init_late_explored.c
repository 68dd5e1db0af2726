// expect: finding deadlock
// options: --races explore
// The semaphore is initialised when the thread that posts is there already: the post is lost.
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void* post(void* p) {
  sem_post(&semaphore);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, post, 0);
  sem_init(&semaphore, 0, 0);
  sem_wait(&semaphore);
  pthread_join(t, 0);
  return 0;
}
