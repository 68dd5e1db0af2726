// What threads have by their keys, while others' steps are taken in different orders.
// expect: verified optimal=12 observers=12
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_key_t key, late;
static atomic_int x, destroyed;

static void destroy(void* value) {
  atomic_fetch_add_explicit(&destroyed, *(int*)value, memory_order_seq_cst);
  free(value);
}

static void* worker(void* number) {
  int* own = malloc(sizeof *own);
  *own = (int)(long)number;
  pthread_setspecific(key, own);
  atomic_fetch_add(&x, 1);
  assert(pthread_getspecific(key) == own && *own == (int)(long)number);
  assert(pthread_getspecific(late) == 0);
  pthread_setspecific(late, own + 1);
  atomic_fetch_add(&x, 1);
  assert(pthread_getspecific(late) == own + 1);
  return 0;
}

int main(void) {
  pthread_key_create(&key, destroy);
  pthread_key_create(&late, 0);
  pthread_t a, b;
  pthread_create(&a, 0, worker, (void*)1);
  pthread_create(&b, 0, worker, (void*)2);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(destroyed == 3 && x == 4);
  pthread_key_delete(late);
}
