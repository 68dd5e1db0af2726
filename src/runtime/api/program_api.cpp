// What programs may call to say more: heddle.h, and the functions of SV-COMP and related tools.
#include "runtime/api/exits.hpp"
#include "runtime/api/initialisers.hpp"
#include "runtime/kernel/before_main.hpp"
#include "runtime/kernel/blocks.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/findings.hpp"
#include "runtime/kernel/policy.hpp"
#include "runtime/kernel/scheduler.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/sys/export.hpp"
#include "runtime/wire/channel.hpp"

using namespace heddle::runtime;
using heddle::abi::Finding;

namespace {

long long nondet() {
  if (!is_running()) initialise_in_runs("chooses");
  note(heddle::abi::note_nondet);
  return settings().nondet[choose(settings().nondet_count)];
}

[[noreturn]] void reach(const char* what) {
  if (!is_running()) end_before_main(Finding::assertion, what);
  fail(Finding::assertion, what);
}

// The outermost block of the current thread.
void begin_block() {
  const unsigned alternative = step({.kind = OpKind::block});
  current().block = {.rest = alternative, .chosen = 0, .weight = 1, .changed = false};
}

}  // namespace

HEDDLE_EXPORT void heddle_assume(int condition) {
  if (condition != 0) return;
  if (!is_running()) initialise_in_runs("assumes");
  if (current().in_atomic != 0) leave_block();
  stop_assuming();
}

HEDDLE_EXPORT void heddle_fail_assertion(const char* condition, const char* file, unsigned line,
                                         const char* function) {
  fail_assertion(condition, file, line, function);
}

HEDDLE_EXPORT unsigned heddle_choose(unsigned n) {
  if (n > 0xffff) unsupported("a choice of more than 65535");
  if (!is_running()) initialise_in_runs("chooses");
  return choose(n);
}

HEDDLE_EXPORT void heddle_atomic_begin() {
  if (!is_running()) return;
  Fiber& self = current();
  if (self.in_atomic == 0 && is_concurrent()) begin_block();
  if (is_concurrent()) ++self.in_atomic;
}
HEDDLE_EXPORT void heddle_atomic_end() {
  if (is_running() && current().in_atomic > 0) --current().in_atomic;
}

HEDDLE_EXPORT void heddle_yield() {
  if (is_running()) prefer_others();
}

// Not a step: a thread that knows the outcome of a run comes after all that matters to it. The
// order of two calls would matter and not be explored.
HEDDLE_EXPORT void heddle_outcome(unsigned long long value) {
  if (!is_running()) initialise_in_runs("calls heddle_outcome");
  if ((reply().notes & heddle::abi::note_outcome) != 0)
    unsupported("a second call of heddle_outcome in one run");
  note(heddle::abi::note_outcome);
  reply().outcome = value;
}

HEDDLE_EXPORT void __VERIFIER_assume(int condition) { heddle_assume(condition); }
HEDDLE_EXPORT void __VERIFIER_assert(int condition) {
  if (condition == 0) reach("__VERIFIER_assert fails");
}
HEDDLE_EXPORT void __VERIFIER_error() { reach("__VERIFIER_error is reached"); }
// Programs of the competition define it themselves, mostly as a failing assertion.
HEDDLE_EXPORT __attribute__((weak)) void reach_error() { reach("reach_error is reached"); }
HEDDLE_EXPORT void __VERIFIER_atomic_begin() { heddle_atomic_begin(); }
HEDDLE_EXPORT void __VERIFIER_atomic_end() { heddle_atomic_end(); }

#define HEDDLE_NONDET(name, type) \
  HEDDLE_EXPORT type __VERIFIER_nondet_##name() { return static_cast<type>(nondet()); }
HEDDLE_NONDET(int, int)
HEDDLE_NONDET(uint, unsigned)
HEDDLE_NONDET(unsigned_int, unsigned)
HEDDLE_NONDET(long, long)
HEDDLE_NONDET(ulong, unsigned long)
HEDDLE_NONDET(longlong, long long)
HEDDLE_NONDET(ulonglong, unsigned long long)
HEDDLE_NONDET(short, short)
HEDDLE_NONDET(ushort, unsigned short)
HEDDLE_NONDET(char, char)
HEDDLE_NONDET(uchar, unsigned char)
HEDDLE_NONDET(bool, bool)
HEDDLE_NONDET(_Bool, bool)
HEDDLE_NONDET(size_t, unsigned long)
HEDDLE_NONDET(unsigned, unsigned)
HEDDLE_NONDET(u8, unsigned char)
HEDDLE_NONDET(u16, unsigned short)
HEDDLE_NONDET(u32, unsigned)
HEDDLE_NONDET(float, float)
HEDDLE_NONDET(double, double)
HEDDLE_EXPORT void* __VERIFIER_nondet_pointer() { unsupported("__VERIFIER_nondet_pointer"); }
