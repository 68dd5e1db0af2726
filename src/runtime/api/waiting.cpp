// Condition variables, of POSIX and of C, and futexes.
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/api/cancellation.hpp"
#include "runtime/api/futex.hpp"
#include "runtime/api/initialisers.hpp"
#include "runtime/api/limits.hpp"
#include "runtime/api/locks.hpp"
#include "runtime/api/uses.hpp"
#include "runtime/kernel/condition.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/findings.hpp"
#include "runtime/kernel/incarnations.hpp"
#include "runtime/kernel/objects.hpp"
#include "runtime/kernel/scheduler.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/kernel/time_limit.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/sys/export.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace {

ConditionState& usable_condition(void* c) {
  return usable<ConditionState>(c, "condition variable");
}

// True: timed out. `left` is where the thread still uses what it waited on, if it does.
bool wake_up(void* object, std::uint8_t group, const void* left, TimeLimit limit) {
  const unsigned alternative = step({.kind = OpKind::wake,
                                     .timed = limit.timed,
                                     .limited = limit.limited,
                                     .group = group,
                                     .object = object,
                                     .second = left,
                                     .deadline = limit.deadline});
  Condition& condition = condition_at(object, group);
  alternative == 0 ? condition.wake(current().id) : condition.give_up(current().id);
  if (alternative != 0) reach(limit);
  return alternative != 0;
}

// Once in each thread: otherwise there would be no end of it.
bool wakes_spuriously() {
  if (settings().spurious_wakeups == 0 || current().woke_spuriously) return false;
  return current().woke_spuriously = choose(2) == 1;
}

constexpr std::uint64_t condition_size = sizeof(pthread_cond_t);

// If the thread has acquired a recursive mutex several times, the wait releases one level of it
// only: other threads cannot acquire the mutex meanwhile. True: timed out.
bool wait_registered(void* c, void* mutex, bool nested, TimeLimit limit) {
  step({.kind = OpKind::wait, .object = c, .second = nested ? nullptr : mutex});
  usable_condition(c);
  use_object(c);
  const std::uint32_t incarnation = incarnation_of(c);
  if (!nested) {
    use_object(mutex);
    release_mutex(as<Mutex>(mutex));
  }
  condition_at(c).wait(current().id);
  const bool late = wake_up(c, 0, static_cast<char*>(c) + condition_size - 1, limit);
  leave_object(c, condition_size, incarnation);
  return late;
}

int wait(void* c, void* mutex, const timespec* deadline) {
  if (!is_running()) initialise_in_runs("waits");
  usable_condition(c);
  Mutex& m = usable_mutex(mutex);
  if (!holds(m) && m.type() != Mutex::normal && m.type() <= Mutex::error_check) return EPERM;
  if (!holds(m)) misuse("a thread waits on a condition without its mutex");
  const TimeLimit limit = deadline == nullptr ? TimeLimit{} : limit_at(deadline);
  const bool nested = m.count > 1;
  note(abi::note_condition);
  if (is_wait_cancelled(limit)) {
    if (!nested) unlock_mutex(mutex);
    await_cancellation(limit);
    if (!nested) lock_mutex(mutex);
    be_cancelled();
  }
  // A time-out or spurious wake-up that is decided beforehand is as if the thread had never been
  // registered.
  const bool spurious = !limit.expired && wakes_spuriously();
  bool late = limit.expired;
  if (!late && !spurious)
    late = wait_registered(c, mutex, nested, limit);
  else if (!nested)
    unlock_mutex(mutex);
  if (!late) count_effect();  // a thread that has waited in vain has done nothing
  if (!nested) lock_mutex(mutex);
  end_wait();
  return late ? ETIMEDOUT : 0;
}

int timed_wait(void* c, void* mutex, const timespec* deadline) {
  return has_nanoseconds(deadline) ? wait(c, mutex, deadline) : EINVAL;
}

int wake_some(OpKind kind, void* c) {
  if (!is_running()) return 0;
  usable_condition(c);
  const std::uint64_t tokens = kind == OpKind::signal ? 1 : 0;
  step({.kind = kind, .object = c, .second = c, .value = tokens});
  use_object(c);
  usable_condition(c);
  Condition& condition = condition_at(c);
  const unsigned woken = kind == OpKind::signal ? condition.signal(1) : condition.broadcast();
  if (woken != 0) count_effect();  // otherwise no thread waits
  return 0;
}

void init(void* c, std::size_t size) {
  if (is_running() && !as<ConditionState>(c).has_ended() && condition_at(c).is_awaited())
    misuse("a condition variable is initialised while threads wait on it");
  std::memset(c, 0, size);
}

// Threads that have been woken may still be about to leave.
int destroy(void* c) {
  usable_condition(c);
  if (is_running() && condition_at(c).is_awaited())
    misuse("a condition variable is destroyed while threads wait on it");
  if (is_running()) await_leaving(c);
  as<ConditionState>(c).mark = ended_mark;
  return 0;
}

long fail_with(int error) {
  errno = error;
  return -1;
}

struct Futex {
  void* word;
  std::uint8_t group;  // by the mask
};

// The word is read before the time is.
long futex_wait(Futex f, std::uint32_t expected, TimeLimit limit) {
  void* const word = f.word;
  static_cast<void>(*static_cast<volatile char*>(word));
  check_heap(word, 4);
  if (limit.expired)
    step({.kind = OpKind::load, .object = word, .size = 4});
  else
    step({.kind = OpKind::futex_wait,
          .group = f.group,
          .object = word,
          .size = 4,
          .value = expected});
  use_object(word);
  if (as<std::uint32_t>(word) != expected) return fail_with(EAGAIN);
  if (limit.expired) return fail_with(ETIMEDOUT);
  condition_at(word, f.group).wait(current().id);
  if (wake_up(word, f.group, nullptr, limit)) return fail_with(ETIMEDOUT);
  count_effect();
  return 0;
}

// One step, however many it wakes. `counts`: the number is used.
long futex_wake(Futex f, int count, bool counts) {
  const auto tokens = static_cast<std::uint64_t>(count < 1 ? 1 : count);  // as the system has it
  const bool all = tokens >= abi::max_threads;
  count_effect();
  step({.kind = all ? OpKind::broadcast : OpKind::signal,
        .group = f.group,
        .object = f.word,
        .size = counts ? 1U : 0U,
        .value = all ? 0 : tokens});
  return condition_at(f.word, f.group).signal(tokens);
}

}  // namespace

bool is_futex_wait(const long* a) {
  const auto operation = a[1] & FUTEX_CMD_MASK;
  return operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET;
}

long futex(const long* a, bool counts) {
  void* word = reinterpret_cast<void*>(a[0]);
  const auto value = static_cast<std::uint32_t>(a[2]);
  const auto* time = reinterpret_cast<const timespec*>(a[3]);
  const auto operation = a[1] & FUTEX_CMD_MASK;
  const bool waits = is_futex_wait(a);
  const bool has_mask = operation == FUTEX_WAIT_BITSET || operation == FUTEX_WAKE_BITSET;
  const auto mask = has_mask ? static_cast<std::uint32_t>(a[5]) : FUTEX_BITSET_MATCH_ANY;
  if (!waits && operation != FUTEX_WAKE && operation != FUTEX_WAKE_BITSET)
    unsupported("a futex operation other than wait and wake");
  if (waits && time != nullptr) plain_read(time, sizeof *time);
  if ((waits && time != nullptr && !is_duration(time)) || mask == 0 || a[0] % 4 != 0)
    return fail_with(EINVAL);
  const Futex f{word, group_of(word, mask)};
  if (!waits) return futex_wake(f, static_cast<int>(value), counts);
  if (time == nullptr) return futex_wait(f, value, {});
  return futex_wait(f, value, operation == FUTEX_WAIT ? limit_after(time) : limit_at(time));
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

HEDDLE_EXPORT int pthread_cond_init(pthread_cond_t* c,
                                    const pthread_condattr_t* attributes) noexcept {
  tell<"pthread_cond_init">(HEDDLE_CALLED_FROM, c, attributes);
  int shared = PTHREAD_PROCESS_PRIVATE;
  if (attributes != nullptr) pthread_condattr_getpshared(attributes, &shared);
  refuse_shared(shared);
  init(c, sizeof *c);
  return 0;
}
HEDDLE_EXPORT int pthread_cond_destroy(pthread_cond_t* c) noexcept {
  tell<"pthread_cond_destroy">(HEDDLE_CALLED_FROM, c);
  return destroy(c);
}
HEDDLE_EXPORT int pthread_cond_wait(pthread_cond_t* c, pthread_mutex_t* m) {
  return wait(c, m, nullptr);
}
HEDDLE_EXPORT int pthread_cond_timedwait(pthread_cond_t* c, pthread_mutex_t* m,
                                         const timespec* deadline) {
  tell<"pthread_cond_timedwait">(HEDDLE_CALLED_FROM, c, m, deadline);
  return timed_wait(c, m, deadline);
}
HEDDLE_EXPORT int pthread_cond_clockwait(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock,
                                         const timespec* deadline) {
  tell<"pthread_cond_clockwait">(HEDDLE_CALLED_FROM, c, m, clock, deadline);
  return can_limit(clock) ? timed_wait(c, m, deadline) : EINVAL;
}
HEDDLE_EXPORT int pthread_cond_signal(pthread_cond_t* c) noexcept {
  return wake_some(OpKind::signal, c);
}
HEDDLE_EXPORT int pthread_cond_broadcast(pthread_cond_t* c) noexcept {
  return wake_some(OpKind::broadcast, c);
}

HEDDLE_EXPORT int cnd_init(cnd_t* c) noexcept {
  tell<"cnd_init">(HEDDLE_CALLED_FROM, c);
  init(c, sizeof *c);
  return thrd_success;
}
HEDDLE_EXPORT void cnd_destroy(cnd_t* c) noexcept {
  tell<"cnd_destroy">(HEDDLE_CALLED_FROM, c);
  destroy(c);
}
HEDDLE_EXPORT int cnd_wait(cnd_t* c, mtx_t* m) {
  return wait(c, m, nullptr) == 0 ? thrd_success : thrd_error;
}
HEDDLE_EXPORT int cnd_timedwait(cnd_t* c, mtx_t* m, const timespec* deadline) {
  tell<"cnd_timedwait">(HEDDLE_CALLED_FROM, c, m, deadline);
  const int error = timed_wait(c, m, deadline);
  return error == 0 ? thrd_success : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}
HEDDLE_EXPORT int cnd_signal(cnd_t* c) noexcept { return wake_some(OpKind::signal, c); }
HEDDLE_EXPORT int cnd_broadcast(cnd_t* c) noexcept { return wake_some(OpKind::broadcast, c); }
