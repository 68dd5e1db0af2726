// Semaphores, and what they share with barriers.
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

#include <cerrno>
#include <cstring>

#include "runtime/api/cancellation.hpp"
#include "runtime/api/limits.hpp"
#include "runtime/api/locks.hpp"
#include "runtime/api/uses.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/findings.hpp"
#include "runtime/kernel/incarnations.hpp"
#include "runtime/kernel/objects.hpp"
#include "runtime/kernel/scheduler.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/kernel/time_limit.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/sys/export.hpp"

using namespace heddle::runtime;

namespace {

int fail_with(int error) {
  errno = error;
  return -1;
}

Semaphore& usable(sem_t* s) { return heddle::runtime::usable<Semaphore>(s, "semaphore"); }

void take(sem_t* s) {
  Semaphore& state = usable(s);
  --state.value;
  if (!is_running()) --state.initial;
  acquire_at(s);
  count_effect();
}

int wait(sem_t* s, TimeLimit limit) {
  usable(s);
  if (is_wait_cancelled(limit)) {
    await_cancellation(limit);
    be_cancelled();
  }
  const bool late = step_on(OpKind::sem_wait, s, limit);
  if (!late) take(s);
  if (is_running()) end_wait();
  return late ? fail_with(ETIMEDOUT) : 0;
}

// An invalid time is an error even if there is a token.
int timed_wait(sem_t* s, const timespec* deadline) {
  if (!has_nanoseconds(deadline)) return fail_with(EINVAL);
  const TimeLimit limit = limit_at(deadline);
  if (limit.expired) cancellation_point();
  if (limit.expired) return sem_trywait(s) == 0 ? 0 : fail_with(ETIMEDOUT);
  return wait(s, limit);
}

}  // namespace

HEDDLE_EXPORT int sem_init(sem_t* s, int shared, unsigned value) noexcept {
  refuse_shared(shared != 0 ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE);
  if (value > SEM_VALUE_MAX) return fail_with(EINVAL);
  tell<"sem_init">(HEDDLE_CALLED_FROM, s, shared, value);
  if (is_awaited(s, OpKind::sem_wait))
    misuse("a semaphore is initialised while threads wait for it");
  std::memset(s, 0, sizeof *s);
  as<Semaphore>(s) = {value, value, next_incarnation(s), 0};
  return 0;
}
HEDDLE_EXPORT int sem_destroy(sem_t* s) noexcept {
  tell<"sem_destroy">(HEDDLE_CALLED_FROM, s);
  usable(s);
  if (is_awaited(s, OpKind::sem_wait) && as<Semaphore>(s).value == 0)
    misuse("a semaphore is destroyed while threads wait for it");
  as<Semaphore>(s).mark = ended_mark;
  return 0;
}
HEDDLE_EXPORT int sem_wait(sem_t* s) { return wait(s, {}); }
HEDDLE_EXPORT int sem_trywait(sem_t* s) noexcept {
  usable(s);
  step_on(OpKind::sem_try_wait, s);
  if (usable(s).value == 0) return fail_with(EAGAIN);
  take(s);
  return 0;
}
HEDDLE_EXPORT int sem_timedwait(sem_t* s, const timespec* t) {
  tell<"sem_timedwait">(HEDDLE_CALLED_FROM, s, t);
  return timed_wait(s, t);
}
HEDDLE_EXPORT int sem_clockwait(sem_t* s, clockid_t clock, const timespec* t) {
  tell<"sem_clockwait">(HEDDLE_CALLED_FROM, s, clock, t);
  return can_limit(clock) ? timed_wait(s, t) : fail_with(EINVAL);
}
HEDDLE_EXPORT int sem_post(sem_t* s) noexcept {
  usable(s);
  step_on(OpKind::sem_post, s);
  Semaphore& state = usable(s);
  if (state.value == SEM_VALUE_MAX) return fail_with(EOVERFLOW);
  ++state.value;
  if (!is_running()) ++state.initial;
  release_at(s);
  count_effect();
  return 0;
}
HEDDLE_EXPORT int sem_getvalue(sem_t* s, int* out) noexcept {
  const auto telling = tell<"sem_getvalue">(HEDDLE_CALLED_FROM, s, out);
  const Semaphore& state = usable(s);
  if (is_running() && is_concurrent()) {
    note(heddle::abi::note_semaphore_value);
    // Posts and waits record that they change it from the next attempt on: this attempt ends when
    // the engine has learned it. It has to end, so this is a step nevertheless.
    step({.kind = OpKind::load, .object = s, .size = sizeof state.value});
    use_object(s);
  }
  telling.rest();
  *out = static_cast<int>(state.value);
  return 0;
}
HEDDLE_EXPORT sem_t* sem_open(const char*, int, ...) noexcept {
  unsupported("sem_open (named semaphores)");
}
HEDDLE_EXPORT int sem_unlink(const char*) noexcept { unsupported("sem_unlink (named semaphores)"); }
HEDDLE_EXPORT int sem_close(sem_t*) noexcept { unsupported("sem_close (named semaphores)"); }
