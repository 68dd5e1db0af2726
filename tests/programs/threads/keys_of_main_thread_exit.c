// But they are if main ends as a thread does.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static void destroy(void* value) {
  assert(value == 0);  // here
}

int main(void) {
  pthread_key_create(&key, destroy);
  pthread_setspecific(key, &key);
  pthread_exit(0);
}
