// What is ordered on all ways stays so: by the lock, by the flag, by joins.
// expect: verified
#include <pthread.h>
#include <stdatomic.h>

static long u, v;
static atomic_int flag;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* one(void* unused) {
  v = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  for (int k = 0; k < 2; ++k) {
    pthread_mutex_lock(&m);
    ++u;
    pthread_mutex_unlock(&m);
  }
  return unused;
}
static void* other(void* unused) {
  for (int k = 0; k < 2; ++k) {
    pthread_mutex_lock(&m);
    ++u;
    pthread_mutex_unlock(&m);
  }
  if (atomic_load_explicit(&flag, memory_order_acquire)) ++v;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return u + v == 0;
}
