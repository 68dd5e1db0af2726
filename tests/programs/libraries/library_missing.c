// One that is not there: programs continue without it. What fails is reported once, to the thread that asked.
// expect: verified
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static void* look(void* unused) {
  assert(dlerror() == NULL);
  return unused;
}

int main(void) {
  assert(dlopen("libthere_is_none_of_this_name.so", RTLD_LAZY) == NULL);
  pthread_t t;
  pthread_create(&t, NULL, look, NULL);
  pthread_join(t, NULL);
  const char* text = dlerror();
  assert(text != NULL && strstr(text, "none_of_this_name") != NULL);
  assert(dlerror() == NULL);
}
