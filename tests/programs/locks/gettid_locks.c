// A lock that knows its owner by gettid; two of them are taken in different orders.
// expect: finding livelock
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int a, b;

static void lock(atomic_int* owner, int self) {
  int nobody = 0;
  if (atomic_load(owner) == self) return;
  while (!atomic_compare_exchange_strong(owner, &nobody, self)) nobody = 0;
}

static void* one(void* unused) {
  int self = gettid() - getpid();
  lock(&a, self);
  lock(&b, self);
  b = 0;
  a = 0;
  return unused;
}
static void* other(void* unused) {
  int self = (int)syscall(SYS_gettid) - getpid();
  lock(&b, self);
  lock(&a, self);
  a = 0;
  b = 0;
  return unused;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, other, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
}
