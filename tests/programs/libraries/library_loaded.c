// A library that is loaded by name: what it keeps is put back between runs.
// expect: verified optimal=2 observers=2
// expect: limit dlsym
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int order;

static void* change(void* unused) {
  order = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, change, NULL);
  const int seen = order;
  void* library = dlopen("libm.so.6", RTLD_NOW);
  assert(library != NULL && dlopen("libm.so.6", RTLD_NOW) == library);
  int* sign = (int*)dlsym(library, "signgam");
  assert(sign != NULL && *sign == 0);
  double (*gamma)(double) = (double (*)(double))dlsym(library, "lgamma");
  assert(gamma != NULL && gamma(1.0) == 0 && *sign == 1);
  assert(dlsym(library, "no_such_function") == NULL && dlerror() != NULL);
  void* c_library = dlopen("libc.so.6", RTLD_LAZY);
  assert(dlsym(c_library, "pthread_join") == (void*)pthread_join);
  assert(dlclose(library) == 0);
  pthread_join(t, NULL);
  return seen > 1;
}
