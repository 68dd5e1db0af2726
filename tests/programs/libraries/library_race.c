// What the program does around a library that it has loaded is explored as ever.
// expect: finding data-race
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static void* library;

static void* load(void* unused) {
  library = dlopen("libm.so.6", RTLD_NOW);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, load, NULL);
  if (library != NULL) dlclose(library);
  pthread_join(t, NULL);
}
