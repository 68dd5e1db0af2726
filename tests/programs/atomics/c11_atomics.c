// Every operation of stdatomic.h does what it says; alone, there is one execution.
// expect: verified optimal=1 observers=1
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_uint x = 12;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static _Atomic(long*) pointer;

int main(void) {
  unsigned expected = 99;
  long array[4];
  assert(atomic_load(&x) == 12 && atomic_load_explicit(&x, memory_order_relaxed) == 12);
  assert(atomic_fetch_add(&x, 4) == 12 && atomic_fetch_sub(&x, 1) == 16);
  assert(atomic_fetch_or(&x, 0x30) == 15 && atomic_fetch_and(&x, 0x33) == 0x3f);
  assert(atomic_fetch_xor(&x, 0x11) == 0x33 && atomic_load(&x) == 0x22);
  assert(atomic_exchange(&x, 7) == 0x22);
  assert(!atomic_compare_exchange_strong(&x, &expected, 1) && expected == 7);
  assert(atomic_compare_exchange_strong(&x, &expected, 8) && atomic_load(&x) == 8);
  expected = 8;
  while (!atomic_compare_exchange_weak_explicit(&x, &expected, 9, memory_order_acq_rel,
                                                memory_order_relaxed)) {
  }
  assert(++x == 10 && x-- == 10 && (x += 5) == 14 && (x ^= 1) == 15 && (x |= 16) == 31);
  atomic_store_explicit(&x, 1, memory_order_release);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_acq_rel);
  assert(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set(&flag));
  atomic_flag_clear(&flag);
  assert(!atomic_flag_test_and_set_explicit(&flag, memory_order_acquire));
  atomic_init(&pointer, array);
  assert(atomic_fetch_add(&pointer, 3) == array && atomic_load(&pointer) == array + 3);
  assert(atomic_is_lock_free(&x) && kill_dependency(x) == 1);
}
