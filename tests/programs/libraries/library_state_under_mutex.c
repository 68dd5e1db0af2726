// Nothing is wrong with functions that keep a state if threads take turns.
// expect: verified
#define _DEFAULT_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
  char text[] = "one two";
  time_t now = 3600;
  pthread_mutex_lock(&mutex);
  assert(strcmp(strtok(text, " "), "one") == 0);
  assert(strcmp(strtok(0, " "), "two") == 0 && strtok(0, " ") == 0);
  assert(gmtime(&now)->tm_hour == 1);
  setenv("NAME", "value", 1);
  assert(strcmp(getenv("NAME"), "value") == 0);
  drand48();
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
