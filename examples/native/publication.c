// One thread fills in a message and sets a flag, another waits for the flag and reads the message.
// The flag is atomic, but relaxed: it does not order the message before it.
// expect: finding data-race line 20
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_bool ready;

static void* send(void* unused) {
  message = 42;
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return unused;
}

static void* receive(void* unused) {
  while (!atomic_load_explicit(&ready, memory_order_relaxed)) {
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
