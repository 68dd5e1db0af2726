// expect: finding deadlock
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
}

int main(void) {}
