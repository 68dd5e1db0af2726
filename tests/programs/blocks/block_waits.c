// No thread continues while a block waits.
// expect: misuse waiting inside an atomic block
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t locked, go;

static void* work(void* p) {
  sem_wait(&locked);
  heddle_atomic_begin();
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  heddle_atomic_end();
  return p;
}
static void* let_go(void* p) {
  sem_post(&go);
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_mutex_lock(&m);
  pthread_create(&a, 0, work, 0);
  sem_post(&locked);
  pthread_create(&b, 0, let_go, 0);
  sem_wait(&go);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
