// Two threads take turns: there is only one way.
// expect: verified
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static long turn, log;

static void* play(void* self) {
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&m);
    while (turn != (long)self) pthread_cond_wait(&c, &m);
    log = log * 10 + (long)self + 1;
    turn = 1 - turn;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
  }
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, play, (void*)0);
  pthread_create(&b, 0, play, (void*)1);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(log == 1212);
}
