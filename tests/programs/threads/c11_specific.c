// Thread-specific storage with destructors, _Thread_local, and call_once of C11.
// expect: verified
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static tss_t key;
static once_flag once = ONCE_FLAG_INIT;
static _Thread_local long own = 5;
static atomic_long destroyed;
static long made;

static void make(void) { ++made; }
static void destroy(void* value) { atomic_fetch_add(&destroyed, *(long*)value); }

static int work(void* value) {
  call_once(&once, make);
  assert(made == 1 && tss_get(key) == 0 && own == 5);
  own = *(long*)value;
  assert(tss_set(key, value) == thrd_success && tss_get(key) == value);
  thrd_yield();
  assert(own == *(long*)value);
  return 0;
}

int main(void) {
  thrd_t a, b;
  long one = 1, two = 2;
  assert(tss_create(&key, destroy) == thrd_success);
  thrd_create(&a, work, &one);
  thrd_create(&b, work, &two);
  thrd_join(a, 0);
  thrd_join(b, 0);
  assert(atomic_load(&destroyed) == 3 && own == 5);
  tss_delete(key);
}
