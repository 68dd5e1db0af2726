// publication.c, with release where the flag is set and acquire where it is waited for.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_bool ready;

static void* send(void* unused) {
  message = 42;
  atomic_store_explicit(&ready, 1, memory_order_release);
  return unused;
}

static void* receive(void* unused) {
  while (!atomic_load_explicit(&ready, memory_order_acquire)) {
  }
  assert(message == 42);
  return unused;
}

int main(void) {
  pthread_t sender, receiver;
  pthread_create(&sender, NULL, send, NULL);
  pthread_create(&receiver, NULL, receive, NULL);
  pthread_join(sender, NULL);
  pthread_join(receiver, NULL);
}
