// A thread that waits for the end of another is cancelled: the other can still be joined.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t go;
static pthread_t worker;

static void* work(void* p) {
  sem_wait(&go);
  return p;
}
static void* join(void* p) {
  pthread_join(worker, 0);
  return p;
}

int main(void) {
  pthread_t joiner;
  void* result;
  sem_init(&go, 0, 0);
  pthread_create(&worker, 0, work, 0);
  pthread_create(&joiner, 0, join, 0);
  pthread_cancel(joiner);
  pthread_join(joiner, &result);
  assert(result == PTHREAD_CANCELED);
  sem_post(&go);
  assert(pthread_join(worker, 0) == 0);
}
