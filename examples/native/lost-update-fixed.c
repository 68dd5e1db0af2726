// lost-update.c, with the mutex taken in both places.
// expect: verified
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static void* deposit(void* unused) {
  pthread_mutex_lock(&mutex);
  balance += 50;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* withdraw(void* unused) {
  pthread_mutex_lock(&mutex);
  balance -= 30;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, deposit, NULL);
  pthread_create(&b, NULL, withdraw, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(balance == 120);
}
