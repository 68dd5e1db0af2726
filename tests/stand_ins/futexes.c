// Futexes, as far as one thread can tell.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "show.h"

static uint32_t word = 1, masked = 1;
static const struct timespec zero, past = {1, 0}, negative = {-1, 0}, moment = {0, 1};
static const struct timespec wrong[] = {{1, 1000000000}, {1, -1}};

static long futex(int op, uint32_t value, const void* time, uint32_t mask) {
  return syscall(SYS_futex, &word, op, value, time, 0, mask);
}

static long futex_masked(int op, uint32_t value, const void* time, uint32_t mask) {
  return syscall(SYS_futex, &masked, op, value, time, 0, mask);
}

int main(void) {
  // The word is looked at before the time is, but what is no time at all comes first.
  SHOW_ERRNO(futex(FUTEX_WAIT, 0, 0, 0));
  SHOW_ERRNO(futex(FUTEX_WAIT, 0, &moment, 0));
  SHOW_ERRNO(futex(FUTEX_WAIT, 0, &wrong[0], 0));
  SHOW_ERRNO(futex(FUTEX_WAIT, 0, &wrong[1], 0));
  SHOW_ERRNO(futex(FUTEX_WAIT, 0, &negative, 0));
  SHOW_ERRNO(futex(FUTEX_WAIT, 1, &moment, 0));
  SHOW_ERRNO(futex(FUTEX_WAIT, 1, &zero, 0));
  SHOW_ERRNO(futex(FUTEX_WAIT, 1, &negative, 0));
  SHOW_ERRNO(futex(FUTEX_WAIT, 1, &wrong[0], 0));
  SHOW_ERRNO(futex(FUTEX_WAIT_PRIVATE, 1, &moment, 0));
  SHOW_ERRNO(futex_masked(FUTEX_WAIT_BITSET, 0, &past, 1));
  SHOW_ERRNO(futex_masked(FUTEX_WAIT_BITSET, 1, &past, 1));
  SHOW_ERRNO(futex_masked(FUTEX_WAIT_BITSET, 1, &past, 0));
  SHOW_ERRNO(futex_masked(FUTEX_WAIT_BITSET, 0, &past, 0));
  SHOW_ERRNO(futex_masked(FUTEX_WAIT_BITSET, 1, &wrong[0], 1));
  SHOW_ERRNO(futex_masked(FUTEX_WAIT_BITSET, 1, &negative, 1));
  SHOW_ERRNO(futex(FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 1, &past, ~0U));
  SHOW_ERRNO(futex(FUTEX_WAKE, 1, 0, 0));
  SHOW_ERRNO(futex(FUTEX_WAKE, 0, 0, 0));
  SHOW_ERRNO(futex(FUTEX_WAKE, -1, 0, 0));
  SHOW_ERRNO(futex_masked(FUTEX_WAKE_BITSET, 1, 0, 1));
  SHOW_ERRNO(futex_masked(FUTEX_WAKE_BITSET, 1, 0, 0));
  SHOW_ERRNO(syscall(SYS_futex, (char*)&word + 1, FUTEX_WAIT, 1, &moment, 0, 0));
  SHOW_ERRNO(syscall(SYS_futex, (char*)&word + 1, FUTEX_WAKE, 1, 0, 0, 0));
  return 0;
}
