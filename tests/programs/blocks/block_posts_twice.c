// Each post of a block counts: all orders of the threads that wait are explored.
// expect: finding assertion line here
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t posts;
static atomic_int x;

static void* post(void* unused) {
  heddle_atomic_begin();
  sem_post(&posts);
  sem_post(&posts);
  heddle_atomic_end();
  return unused;
}
static void* add(void* number) {
  sem_wait(&posts);
  x = x * 3 + (int)(long)number;
  sem_post(&posts);
  return 0;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, post, 0);
  pthread_create(&b, 0, add, (void*)1);
  pthread_create(&c, 0, add, (void*)2);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  assert(x > 2);  // here
}
