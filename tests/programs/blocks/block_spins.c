// A loop in an atomic block that no other thread can end before the block does.
// expect: misuse a loop in an atomic block that waits
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int flag;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void* wait_in_block(void* unused) {
  heddle_atomic_begin();
  while (!atomic_load(&flag)) {
  }
  heddle_atomic_end();
  return unused;
}

int main(void) {
  pthread_t thread;
  struct timespec limit;
  pthread_create(&thread, NULL, wait_in_block, NULL);
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec++;
  pthread_mutex_lock(&mutex);
  pthread_cond_timedwait(&condition, &mutex, &limit);
  pthread_mutex_unlock(&mutex);
  atomic_store(&flag, 1);
  pthread_join(thread, NULL);
}
