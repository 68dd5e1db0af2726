// What joining and detaching return, and what is called when a thread ends.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#include "show.h"

static sem_t go;
static void clean(void* number) { SHOW_NUMBER((long)number); }

static void* wait_and_exit(void* result) {
  sem_wait(&go);
  pthread_cleanup_push(clean, (void*)1);
  pthread_cleanup_push(clean, (void*)2);
  pthread_exit(result);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return 0;
}
static void* popped(void* unused) {
  pthread_cleanup_push(clean, (void*)3);
  pthread_cleanup_pop(1);
  pthread_cleanup_push(clean, (void*)4);
  pthread_cleanup_pop(0);
  return unused;
}
static void* join_creator(void* creator) {
  SHOW_ERROR(pthread_join(*(pthread_t*)creator, 0));
  return 0;
}
static void* detach_self(void* unused) {
  SHOW_ERROR(pthread_detach(pthread_self()));
  SHOW_ERROR(pthread_detach(pthread_self()));
  SHOW_ERROR(pthread_join(pthread_self(), 0));
  sem_post(&go);
  return unused;
}

int main(void) {
  pthread_t a, self = pthread_self();
  void* result;
  sem_init(&go, 0, 0);
  pthread_create(&a, 0, wait_and_exit, &go);
  sem_post(&go);
  SHOW_ERROR(pthread_join(a, &result));
  SHOW_NUMBER(result == &go);
  pthread_create(&a, 0, popped, 0);
  SHOW_ERROR(pthread_join(a, 0));
  SHOW_ERROR(pthread_join(self, 0));
  pthread_create(&a, 0, detach_self, 0);
  sem_wait(&go);
  pthread_create(&a, 0, wait_and_exit, 0);
  SHOW_ERROR(pthread_detach(a));
  SHOW_ERROR(pthread_detach(a));
  SHOW_ERROR(pthread_join(a, 0));
  exit(0);
}
