// Mutexes and spinlocks, of POSIX and of C.
#include <pthread.h>
#include <threads.h>

#include <cerrno>
#include <cstring>

#include "runtime/export.hpp"
#include "runtime/image.hpp"
#include "runtime/locks.hpp"
#include "runtime/memory.hpp"
#include "runtime/scheduler.hpp"

using namespace heddle::runtime;

namespace {

Mutex& usable(void* object) {
  if (is_running()) check_heap(object, 1);
  auto& m = as<Mutex>(object);
  if (m.kind == Mutex::destroyed && is_running()) misuse("a mutex is used after it was destroyed");
  return m;
}

void init(void* object, std::uint32_t kind) {
  std::memset(object, 0, sizeof(Mutex));
  as<Mutex>(object).kind = kind;
}

int destroy(void* object) {
  Mutex& m = usable(object);
  if (is_running() && m.owner != 0) misuse("a mutex is destroyed while it is locked");
  end_object(object, sizeof(Mutex));
  m.kind = Mutex::destroyed;
  return 0;
}

int lock(void* object, const TimeLimit& limit = {}) {
  Mutex& m = usable(object);
  if (holds(m) && m.type() == Mutex::recursive) {
    ++m.count;
    count_nesting(m, 1);
    return 0;
  }
  if (holds(m) && m.type() == Mutex::error_check) return EDEADLK;
  return lock_mutex(object, limit) ? 0 : ETIMEDOUT;
}

int try_lock(void* object) {
  Mutex& m = usable(object);
  if (holds(m)) {
    if (m.type() != Mutex::recursive) return EBUSY;
    ++m.count;
    count_nesting(m, 1);
    return 0;
  }
  step_on(OpKind::try_lock, object);
  if (m.owner != 0) return count_failure(object), EBUSY;
  take_mutex(m);
  return 0;
}

int timed_lock(void* object, const TimeLimit& limit) {
  if (!limit.expired) return lock(object, limit);
  const int result = try_lock(object);
  return result == EBUSY ? ETIMEDOUT : result;
}

int unlock(void* object) {
  Mutex& m = usable(object);
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

std::uint32_t& owner_of(pthread_spinlock_t* s) {
  return *reinterpret_cast<std::uint32_t*>(const_cast<int*>(s));
}
void* object_of(pthread_spinlock_t* s) { return const_cast<int*>(s); }

void take(pthread_spinlock_t* s) {
  owner_of(s) = self_id() + 1;
  acquire_at(object_of(s));
  count_taking(object_of(s));
}

}  // namespace

HEDDLE_EXPORT int pthread_mutex_init(pthread_mutex_t* m,
                                     const pthread_mutexattr_t* attributes) noexcept {
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
HEDDLE_EXPORT int pthread_mutex_destroy(pthread_mutex_t* m) noexcept { return destroy(m); }

HEDDLE_EXPORT int pthread_mutex_lock(pthread_mutex_t* m) noexcept {
  if (!is_in_system(__builtin_return_address(0))) return lock(m);
  as<Mutex>(m).owner = self_id() + 1;
  return 0;
}
HEDDLE_EXPORT int pthread_mutex_trylock(pthread_mutex_t* m) noexcept { return try_lock(m); }
HEDDLE_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* m, const timespec* t) noexcept {
  return timed_lock(m, limit_at(t));
}
HEDDLE_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* m, clockid_t,
                                          const timespec* t) noexcept {
  return timed_lock(m, limit_at(t));
}
HEDDLE_EXPORT int pthread_mutex_unlock(pthread_mutex_t* m) noexcept {
  if (!is_in_system(__builtin_return_address(0))) return unlock(m);
  as<Mutex>(m).owner = 0;
  return 0;
}
HEDDLE_EXPORT int pthread_mutex_consistent(pthread_mutex_t*) noexcept {
  unsupported("robust mutexes");
}

HEDDLE_EXPORT int mtx_init(mtx_t* m, int type) noexcept {
  init(m, (type & mtx_recursive) != 0 ? Mutex::recursive : Mutex::normal);
  return thrd_success;
}
HEDDLE_EXPORT void mtx_destroy(mtx_t* m) noexcept { destroy(m); }
HEDDLE_EXPORT int mtx_lock(mtx_t* m) noexcept { return c11_result(lock(m)); }
HEDDLE_EXPORT int mtx_trylock(mtx_t* m) noexcept { return c11_result(try_lock(m)); }
HEDDLE_EXPORT int mtx_timedlock(mtx_t* m, const timespec* t) noexcept {
  return c11_result(timed_lock(m, limit_at(t)));
}
HEDDLE_EXPORT int mtx_unlock(mtx_t* m) noexcept { return c11_result(unlock(m)); }

HEDDLE_EXPORT int pthread_spin_init(pthread_spinlock_t* s, int) noexcept {
  owner_of(s) = 0;
  return 0;
}
HEDDLE_EXPORT int pthread_spin_destroy(pthread_spinlock_t* s) noexcept {
  if (is_running() && owner_of(s) != 0) misuse("a spinlock is destroyed while it is locked");
  end_object(object_of(s), sizeof *s);
  return 0;
}
HEDDLE_EXPORT int pthread_spin_lock(pthread_spinlock_t* s) noexcept {
  step_on(OpKind::spin_lock, object_of(s));
  take(s);
  return 0;
}
HEDDLE_EXPORT int pthread_spin_trylock(pthread_spinlock_t* s) noexcept {
  step_on(OpKind::try_lock, object_of(s));
  if (owner_of(s) != 0) return count_failure(object_of(s)), EBUSY;
  take(s);
  return 0;
}
HEDDLE_EXPORT int pthread_spin_unlock(pthread_spinlock_t* s) noexcept {
  if (owner_of(s) != self_id() + 1 && is_running())
    misuse("a thread unlocks a spinlock that it does not hold");
  step_on(OpKind::unlock, object_of(s));
  release_at(object_of(s));
  count_giving(object_of(s));
  owner_of(s) = 0;
  return 0;
}
