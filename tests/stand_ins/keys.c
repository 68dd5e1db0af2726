// Keys: their values, and what is called for them when a thread ends.
#include <pthread.h>

#include "show.h"

static pthread_key_t key, other, keys[2000];
static int calls;
static void again(void* value) {
  SHOW_NUMBER(pthread_getspecific(key) == 0);
  ++calls;
  pthread_setspecific(key, value);
}
static void set_other(void* value) {
  SHOW_NUMBER(value == &other);
  pthread_setspecific(key, value);
}

static void* work(void* unused) {
  SHOW_NUMBER(pthread_getspecific(key) == 0);
  SHOW_ERROR(pthread_setspecific(key, &key));
  SHOW_NUMBER(pthread_getspecific(key) == &key);
  return unused;
}
static void* delete_early(void* unused) {
  pthread_setspecific(key, &key);
  SHOW_ERROR(pthread_key_delete(key));
  SHOW_NUMBER(pthread_getspecific(key) == 0);
  SHOW_ERROR(pthread_setspecific(key, &key));
  SHOW_ERROR(pthread_key_delete(key));
  return unused;
}

int main(void) {
  pthread_t a;
  SHOW_ERROR(pthread_key_create(&key, again));
  pthread_create(&a, 0, work, 0);
  pthread_join(a, 0);
  SHOW_NUMBER(calls);
  calls = 0;
  pthread_create(&a, 0, delete_early, 0);
  pthread_join(a, 0);
  SHOW_NUMBER(calls);
  SHOW_ERROR(pthread_setspecific(5000, &key));
  SHOW_NUMBER(pthread_getspecific(5000) == 0);
  SHOW_ERROR(pthread_key_delete(5000));
  SHOW_ERROR(pthread_key_create(&key, 0));
  SHOW_NUMBER(pthread_getspecific(key) == 0);
  pthread_setspecific(key, &key);
  pthread_key_delete(key);
  SHOW_ERROR(pthread_key_create(&other, set_other));
  SHOW_NUMBER(pthread_getspecific(other) == 0);
  int made = 0, result = 0;
  while (made < 2000 && (result = pthread_key_create(&keys[made], 0)) == 0) ++made;
  SHOW_NUMBER(made > 1000);
  SHOW_ERROR(result);
}
