// Atomics of every size, added to by two threads: each is in either order, 2^4 traces.
// expect: verified optimal=16 observers=16
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Alignas(8) atomic_uchar one;
static _Alignas(8) atomic_ushort two;
static _Alignas(8) atomic_uint four;
static _Alignas(8) atomic_ulong eight;

static void* add(void* unused) {
  atomic_fetch_add(&one, 200);
  atomic_fetch_add(&two, 40000);
  atomic_fetch_add(&four, 3000000000u);
  atomic_fetch_add(&eight, 1ul << 63);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(one == 400 - 256 && two == 80000 - 65536 && four == 1705032704u && eight == 0);
}
