// The destructors of keys are not called for a thread that returns from main: it may have freed its values.
// expect: verified optimal=1 observers=1
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

int main(void) {
  pthread_key_create(&key, free);
  pthread_setspecific(key, malloc(8));
  free(pthread_getspecific(key));
}
