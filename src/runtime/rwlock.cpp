// Readers-writer locks.
#include <pthread.h>

#include <cerrno>
#include <cstring>

#include "runtime/export.hpp"
#include "runtime/locks.hpp"
#include "runtime/memory.hpp"
#include "runtime/scheduler.hpp"

using namespace heddle::runtime;

namespace {

constexpr unsigned max_reads = 15;  // of one thread at a time

// Readers synchronise with writers, not with each other: what they release is kept apart.
const void* of_readers(const void* lock) { return static_cast<const char*>(lock) + 1; }

void take_read(RwLock& l) {
  ++l.readers;
  l.add_held(self_id(), 1);
  acquire_at(&l);
  count_taking(&l, Sharing::shared);
}

void take_write(RwLock& l) {
  l.writer = self_id() + 1;
  acquire_at(&l);
  acquire_at(of_readers(&l));
  count_taking(&l);
}

int read_lock(void* object, const TimeLimit& limit) {
  auto& l = as<RwLock>(object);
  if (is_running()) check_heap(object, 1);
  if (l.writer == self_id() + 1) return EDEADLK;
  if (l.held_by(self_id()) == max_reads) return EAGAIN;
  if (step_on(OpKind::read_lock, object, limit)) return ETIMEDOUT;
  take_read(l);
  return 0;
}

int try_read_lock(void* object) {
  auto& l = as<RwLock>(object);
  if (is_running()) check_heap(object, 1);
  if (l.writer == self_id() + 1) return EBUSY;
  if (l.held_by(self_id()) == max_reads) return EAGAIN;
  step_on(OpKind::try_read_lock, object);
  if (l.writer != 0) return count_failure(object), EBUSY;
  take_read(l);
  return 0;
}

int write_lock(void* object, const TimeLimit& limit) {
  auto& l = as<RwLock>(object);
  if (is_running()) check_heap(object, 1);
  if (l.writer == self_id() + 1) return EDEADLK;
  if (step_on(OpKind::write_lock, object, limit)) return ETIMEDOUT;
  take_write(l);
  return 0;
}

int try_write_lock(void* object) {
  auto& l = as<RwLock>(object);
  if (is_running()) check_heap(object, 1);
  if (l.writer == self_id() + 1) return EBUSY;
  step_on(OpKind::try_write_lock, object);
  if (l.writer != 0 || l.readers != 0) return count_failure(object), EBUSY;
  take_write(l);
  return 0;
}

int unlock(void* object) {
  auto& l = as<RwLock>(object);
  if (is_running()) check_heap(object, 1);
  if (l.writer == self_id() + 1) {
    step_on(OpKind::write_unlock, object);
    release_at(object);
    count_giving(object);
    l.writer = 0;
  } else if (l.held_by(self_id()) > 0) {
    step_on(OpKind::read_unlock, object);
    release_at(of_readers(object));
    count_giving(object, Sharing::shared);
    --l.readers;
    l.add_held(self_id(), -1);
  } else if (is_running()) {
    misuse("a thread unlocks a readers-writer lock that it does not hold");
  }
  return 0;
}

int late(int result) { return result == EBUSY ? ETIMEDOUT : result; }

int timed_read_lock(void* object, const TimeLimit& limit) {
  return limit.expired ? late(try_read_lock(object)) : read_lock(object, limit);
}
int timed_write_lock(void* object, const TimeLimit& limit) {
  return limit.expired ? late(try_write_lock(object)) : write_lock(object, limit);
}

}  // namespace

HEDDLE_EXPORT int pthread_rwlock_init(pthread_rwlock_t* l,
                                      const pthread_rwlockattr_t* attributes) noexcept {
  int shared = PTHREAD_PROCESS_PRIVATE;
  if (attributes != nullptr) pthread_rwlockattr_getpshared(attributes, &shared);
  refuse_shared(shared);
  std::memset(l, 0, sizeof *l);
  return 0;
}
HEDDLE_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* l) noexcept {
  const auto& state = as<RwLock>(l);
  if (is_running() && (state.writer != 0 || state.readers != 0))
    misuse("a readers-writer lock is destroyed while it is held");
  end_object(l, sizeof *l);
  return 0;
}
HEDDLE_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* l) noexcept { return read_lock(l, {}); }
HEDDLE_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* l) noexcept {
  return try_read_lock(l);
}
HEDDLE_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* l) noexcept { return write_lock(l, {}); }
HEDDLE_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* l) noexcept {
  return try_write_lock(l);
}
HEDDLE_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* l, const timespec* t) noexcept {
  return timed_read_lock(l, limit_at(t));
}
HEDDLE_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* l, const timespec* t) noexcept {
  return timed_write_lock(l, limit_at(t));
}
HEDDLE_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* l, clockid_t,
                                             const timespec* t) noexcept {
  return timed_read_lock(l, limit_at(t));
}
HEDDLE_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* l, clockid_t,
                                             const timespec* t) noexcept {
  return timed_write_lock(l, limit_at(t));
}
HEDDLE_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* l) noexcept { return unlock(l); }
