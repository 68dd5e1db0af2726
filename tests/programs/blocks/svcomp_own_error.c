// As in SV-COMP: programs define the error function themselves, over __assert_fail.
// expect: finding assertion
#include <pthread.h>
#include <stdatomic.h>

extern void __assert_fail(const char*, const char*, unsigned, const char*)
    __attribute__((noreturn));
void reach_error(void) { __assert_fail("0", "svcomp_own_error.c", 8, "reach_error"); }
static void __VERIFIER_assert(int condition) {
  if (!condition) reach_error();
}

static atomic_int x;

static void* add(void* unused) {
  atomic_store(&x, atomic_load(&x) + 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  __VERIFIER_assert(atomic_load(&x) == 2);
}
