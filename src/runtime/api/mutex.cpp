// Mutexes and spinlocks, of POSIX and of C.
#include <pthread.h>
#include <threads.h>

#include <cerrno>
#include <cstring>

#include "runtime/api/limits.hpp"
#include "runtime/api/locks.hpp"
#include "runtime/api/uses.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/objects.hpp"
#include "runtime/kernel/op.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/kernel/time_limit.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/sys/export.hpp"
#include "runtime/sys/system_code.hpp"

using namespace heddle::runtime;

namespace {

void init(void* object, std::uint32_t kind) {
  const auto& m = as<Mutex>(object);
  if (is_running() && !m.has_ended() && m.type() == m.kind && is_owner(m.owner) && m.count != 0)
    misuse("a mutex is initialised while it is locked");
  std::memset(object, 0, sizeof(Mutex));
  as<Mutex>(object).kind = kind;
}

int destroy(void* object) {
  Mutex& m = usable_mutex(object);
  if (is_running() && m.owner != 0) misuse("a mutex is destroyed while it is locked");
  m.kind = ended_mark;
  return 0;
}

// A recursive mutex that the thread holds is acquired once more.
bool nest(Mutex& m) {
  if (!holds(m) || m.type() != Mutex::recursive) return false;
  ++m.count;
  count_nesting(m, 1);
  return true;
}

int lock(void* object) {
  Mutex& m = usable_mutex(object);
  if (nest(m)) return 0;
  if (holds(m) && m.type() == Mutex::error_check) return EDEADLK;
  lock_mutex(object);
  return 0;
}

int try_lock(void* object) {
  Mutex& m = usable_mutex(object);
  if (nest(m)) return 0;
  if (holds(m)) return EBUSY;
  step_on(OpKind::try_lock, object);
  if (usable_mutex(object).owner != 0) return count_failure(object), EBUSY;
  take_mutex(m);
  return 0;
}

// The time matters, and is read, only if the mutex is not free.
int timed_lock(void* object, const timespec* deadline) {
  Mutex& m = usable_mutex(object);
  if (nest(m)) return 0;
  if (holds(m) && m.type() == Mutex::error_check) return EDEADLK;
  const TimeLimit limit = limit_at(deadline);
  if (limit.expired) return try_lock(object) == 0 ? 0 : limit.error;
  return lock_mutex(object, limit) ? 0 : ETIMEDOUT;
}

int unlock(void* object) {
  Mutex& m = usable_mutex(object);
  if (!holds(m)) {
    if (m.type() == Mutex::recursive || m.type() == Mutex::error_check) return EPERM;
    if (is_running()) misuse("a thread unlocks a mutex that it does not hold");
    return EPERM;
  }
  if (m.count > 1) {
    --m.count;
    count_nesting(m, -1);
  } else {
    unlock_mutex(object);
  }
  return 0;
}

int c11_result(int error) {
  if (error == 0) return thrd_success;
  if (error == EBUSY) return thrd_busy;
  return error == ETIMEDOUT ? thrd_timedout : thrd_error;
}

void* object_of(pthread_spinlock_t* s) { return const_cast<int*>(s); }
SpinLock& usable(pthread_spinlock_t* s) {
  auto& state = as<SpinLock>(object_of(s));
  if (!is_running()) return state;
  check_heap(object_of(s), 1);
  if (state.mark == SpinLock::ended) misuse_after_end("spinlock");
  if (state.mark != SpinLock::begun) misuse("a spinlock is used that was not initialised");
  return state;
}

void take(pthread_spinlock_t* s) {
  usable(s).owner = static_cast<std::uint16_t>(self_id() + 1);
  acquire_at(object_of(s));
  count_taking(object_of(s));
}

}  // namespace

HEDDLE_EXPORT int pthread_mutex_init(pthread_mutex_t* m,
                                     const pthread_mutexattr_t* attributes) noexcept {
  tell<"pthread_mutex_init">(HEDDLE_CALLED_FROM, m, attributes);
  int type = PTHREAD_MUTEX_NORMAL, shared = PTHREAD_PROCESS_PRIVATE, robust = PTHREAD_MUTEX_STALLED;
  if (attributes != nullptr) {
    pthread_mutexattr_gettype(attributes, &type);
    pthread_mutexattr_getpshared(attributes, &shared);
    pthread_mutexattr_getrobust(attributes, &robust);
  }
  refuse_shared(shared);
  if (robust == PTHREAD_MUTEX_ROBUST && is_running()) unsupported("robust mutexes");
  init(m, static_cast<std::uint32_t>(type));
  return 0;
}
HEDDLE_EXPORT int pthread_mutex_destroy(pthread_mutex_t* m) noexcept {
  tell<"pthread_mutex_destroy">(HEDDLE_CALLED_FROM, m);
  return destroy(m);
}

HEDDLE_EXPORT int pthread_mutex_lock(pthread_mutex_t* m) noexcept {
  if (!is_in_system(HEDDLE_CALLED_FROM)) return lock(m);
  as<Mutex>(m).owner = self_id() + 1;
  return 0;
}
HEDDLE_EXPORT int pthread_mutex_trylock(pthread_mutex_t* m) noexcept { return try_lock(m); }
HEDDLE_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* m, const timespec* t) noexcept {
  tell<"pthread_mutex_timedlock">(HEDDLE_CALLED_FROM, m, t);
  return timed_lock(m, t);
}
HEDDLE_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* m, clockid_t clock,
                                          const timespec* t) noexcept {
  tell<"pthread_mutex_clocklock">(HEDDLE_CALLED_FROM, m, clock, t);
  return can_limit(clock) ? timed_lock(m, t) : EINVAL;
}
HEDDLE_EXPORT int pthread_mutex_unlock(pthread_mutex_t* m) noexcept {
  if (!is_in_system(HEDDLE_CALLED_FROM)) return unlock(m);
  as<Mutex>(m).owner = 0;
  return 0;
}
HEDDLE_EXPORT int pthread_mutex_consistent(pthread_mutex_t*) noexcept {
  unsupported("robust mutexes");
}

HEDDLE_EXPORT int mtx_init(mtx_t* m, int type) noexcept {
  tell<"mtx_init">(HEDDLE_CALLED_FROM, m, type);
  init(m, (type & mtx_recursive) != 0 ? Mutex::recursive : Mutex::normal);
  return thrd_success;
}
HEDDLE_EXPORT void mtx_destroy(mtx_t* m) noexcept {
  tell<"mtx_destroy">(HEDDLE_CALLED_FROM, m);
  destroy(m);
}
HEDDLE_EXPORT int mtx_lock(mtx_t* m) noexcept { return c11_result(lock(m)); }
HEDDLE_EXPORT int mtx_trylock(mtx_t* m) noexcept { return c11_result(try_lock(m)); }
HEDDLE_EXPORT int mtx_timedlock(mtx_t* m, const timespec* t) noexcept {
  tell<"mtx_timedlock">(HEDDLE_CALLED_FROM, m, t);
  return c11_result(timed_lock(m, t));
}
HEDDLE_EXPORT int mtx_unlock(mtx_t* m) noexcept { return c11_result(unlock(m)); }

HEDDLE_EXPORT int pthread_spin_init(pthread_spinlock_t* s, int shared) noexcept {
  refuse_shared(shared);
  tell<"pthread_spin_init">(HEDDLE_CALLED_FROM, object_of(s), shared);
  const auto& state = as<SpinLock>(object_of(s));
  if (is_running() && !state.has_ended() && is_owner(state.owner) &&
      is_awaited(object_of(s), OpKind::spin_lock))
    misuse("a spinlock is initialised while it is locked");
  as<SpinLock>(object_of(s)) = {0, SpinLock::begun};
  return 0;
}
HEDDLE_EXPORT int pthread_spin_destroy(pthread_spinlock_t* s) noexcept {
  tell<"pthread_spin_destroy">(HEDDLE_CALLED_FROM, object_of(s));
  if (usable(s).owner != 0 && is_running()) misuse("a spinlock is destroyed while it is locked");
  usable(s).mark = SpinLock::ended;
  return 0;
}
HEDDLE_EXPORT int pthread_spin_lock(pthread_spinlock_t* s) noexcept {
  usable(s);
  step_on(OpKind::spin_lock, object_of(s));
  take(s);
  return 0;
}
HEDDLE_EXPORT int pthread_spin_trylock(pthread_spinlock_t* s) noexcept {
  usable(s);
  step_on(OpKind::try_spin_lock, object_of(s));
  if (usable(s).owner != 0) return count_failure(object_of(s)), EBUSY;
  take(s);
  return 0;
}
HEDDLE_EXPORT int pthread_spin_unlock(pthread_spinlock_t* s) noexcept {
  if (usable(s).owner != self_id() + 1 && is_running())
    misuse("a thread unlocks a spinlock that it does not hold");
  step_on(OpKind::unlock, object_of(s));
  release_at(object_of(s));
  count_giving(object_of(s));
  as<SpinLock>(object_of(s)).owner = 0;
  return 0;
}
