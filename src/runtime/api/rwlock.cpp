// Readers-writer locks.
//
// Where writers come first (PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP), a thread that wants to
// read waits while another waits to write. Such a lock has a gate, which is a readers-writer lock
// too: a writer acquires it for writing before it waits for the readers to leave, and holds it as
// long as it holds the lock. A reader passes it: acquires it for reading until it has the lock. It
// counts as reading from when it has the gate, since from then on nothing keeps it from the lock.
// So both orders of a reader and a writer that comes to wait are explored, as those of two steps on
// the gate.
#include <pthread.h>

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
#include "runtime/sys/export.hpp"

using namespace heddle::runtime;

namespace {

constexpr unsigned max_reads = 15;  // of one thread at a time: what the four bits of RwLock::held
                                    // can count

// Readers synchronise with writers, not with each other: what they release is kept separately.
const void* of_readers(const void* lock) { return static_cast<const char*>(lock) + 1; }

RwLock& usable(void* object) {
  return heddle::runtime::usable<RwLock>(object, "readers-writer lock");
}

bool has_gate(const RwLock& l) { return l.kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP; }
void* gate_of(RwLock& l) { return l.gate; }

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

bool step_at_gate(OpKind kind, RwLock& l, TimeLimit limit = {}) {
  return step_on(kind, gate_of(l), limit, 1);
}

// The gate is open to the thread, for reading or for writing.
void enter_to_read(RwLock& l) {
  ++l.gate[1];
  count_taking(gate_of(l), Sharing::shared);
}
void enter_to_write(RwLock& l) {
  l.gate[0] = self_id() + 1;
  count_taking(gate_of(l));
}
void leave_gate(RwLock& l) {
  const bool wrote = l.gate[0] == self_id() + 1;
  step_at_gate(wrote ? OpKind::write_unlock : OpKind::read_unlock, l);
  count_giving(gate_of(l), wrote ? Sharing::alone : Sharing::shared);
  wrote ? l.gate[0] = 0 : --l.gate[1];
}

void refuse_more_reads(const RwLock& l) {
  if (l.held_by(self_id()) == max_reads && is_running()) reach_bound(heddle::abi::Bound::readings);
}

// Past the gate, no writer blocks the thread.
int read_behind_gate(RwLock& l) {
  enter_to_read(l);
  step_on(OpKind::read_lock, &l);
  take_read(l);
  leave_gate(l);
  return 0;
}

int read_lock(void* object, TimeLimit limit) {
  RwLock& l = usable(object);
  refuse_more_reads(l);
  if (has_gate(l))
    return step_at_gate(OpKind::read_lock, l, limit) ? ETIMEDOUT : read_behind_gate(usable(&l));
  if (step_on(OpKind::read_lock, object, limit)) return ETIMEDOUT;
  take_read(usable(object));
  return 0;
}

int try_read_lock(void* object) {
  RwLock& l = usable(object);
  if (l.writer == self_id() + 1) return EBUSY;
  refuse_more_reads(l);
  if (has_gate(l)) {
    step_at_gate(OpKind::try_read_lock, l);
    if (usable(object).gate[0] != 0) return count_failure(gate_of(l)), EBUSY;
    return read_behind_gate(l);
  }
  step_on(OpKind::try_read_lock, object);
  if (usable(object).writer != 0) return count_failure(object), EBUSY;
  take_read(l);
  return 0;
}

int write_lock(void* object, TimeLimit limit) {
  RwLock& l = usable(object);
  if (has_gate(l)) {
    if (step_at_gate(OpKind::write_lock, l, limit)) return ETIMEDOUT;
    enter_to_write(usable(object));
  }
  const bool late = step_on(OpKind::write_lock, object, limit);
  if (!late) take_write(usable(object));
  if (late && has_gate(l)) leave_gate(l);
  return late ? ETIMEDOUT : 0;
}

// The lock comes first: to hold the gate and not to get the lock would keep out readers.
int try_write_lock(void* object) {
  RwLock& l = usable(object);
  if (l.writer == self_id() + 1) return EBUSY;
  step_on(OpKind::try_write_lock, object);
  if (usable(object).writer != 0 || l.readers != 0) return count_failure(object), EBUSY;
  take_write(l);
  if (!has_gate(l)) return 0;
  step_at_gate(OpKind::try_write_lock, l);
  if (l.gate[0] == 0 && l.gate[1] == 0) {
    enter_to_write(l);
    return 0;
  }
  count_failure(gate_of(l));
  step_on(OpKind::write_unlock, object);
  release_at(object);
  count_giving(object);
  l.writer = 0;
  return EBUSY;
}

int unlock(void* object) {
  RwLock& l = usable(object);
  if (l.writer == self_id() + 1) {
    step_on(OpKind::write_unlock, object);
    release_at(object);
    count_giving(object);
    l.writer = 0;
    if (has_gate(l)) leave_gate(l);
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

// An invalid time is an error even if the lock is free.
int timed_read_lock(void* object, const timespec* deadline) {
  RwLock& l = usable(object);
  if (!has_nanoseconds(deadline)) return EINVAL;
  if (l.writer == self_id() + 1) return EDEADLK;
  const TimeLimit limit = limit_at(deadline);
  if (!limit.expired) return read_lock(object, limit);
  return try_read_lock(object) == 0 ? 0 : ETIMEDOUT;
}
int timed_write_lock(void* object, const timespec* deadline) {
  RwLock& l = usable(object);
  if (!has_nanoseconds(deadline)) return EINVAL;
  if (l.writer == self_id() + 1) return EDEADLK;
  const TimeLimit limit = limit_at(deadline);
  if (!limit.expired) return write_lock(object, limit);
  return try_write_lock(object) == 0 ? 0 : ETIMEDOUT;
}

// Before initialisation, the content may be anything.
bool is_in_use(const RwLock& l) {
  unsigned reads = 0;
  for (unsigned id = 0; id < heddle::abi::max_threads; ++id) reads += l.held_by(id);
  return !l.has_ended() && l.kind <= PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP &&
         reads == l.readers && (l.readers != 0 || is_owner(l.writer));
}

}  // namespace

HEDDLE_EXPORT int pthread_rwlock_init(pthread_rwlock_t* l,
                                      const pthread_rwlockattr_t* attributes) noexcept {
  tell<"pthread_rwlock_init">(HEDDLE_CALLED_FROM, l, attributes);
  int shared = PTHREAD_PROCESS_PRIVATE, kind = PTHREAD_RWLOCK_DEFAULT_NP;
  if (attributes != nullptr) {
    pthread_rwlockattr_getpshared(attributes, &shared);
    pthread_rwlockattr_getkind_np(attributes, &kind);
  }
  refuse_shared(shared);
  if (is_running() && is_in_use(as<RwLock>(l)))
    misuse("a readers-writer lock is initialised while it is held");
  std::memset(l, 0, sizeof *l);
  as<RwLock>(l).kind = static_cast<std::uint32_t>(kind);
  return 0;
}
HEDDLE_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* l) noexcept {
  tell<"pthread_rwlock_destroy">(HEDDLE_CALLED_FROM, l);
  RwLock& state = usable(l);
  if (is_running() && (state.writer != 0 || state.readers != 0))
    misuse("a readers-writer lock is destroyed while it is held");
  state.kind = ended_mark;
  return 0;
}
HEDDLE_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* l) noexcept {
  return usable(l).writer == self_id() + 1 ? EDEADLK : read_lock(l, {});
}
HEDDLE_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* l) noexcept {
  return try_read_lock(l);
}
HEDDLE_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* l) noexcept {
  return usable(l).writer == self_id() + 1 ? EDEADLK : write_lock(l, {});
}
HEDDLE_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* l) noexcept {
  return try_write_lock(l);
}
HEDDLE_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* l, const timespec* t) noexcept {
  tell<"pthread_rwlock_timedrdlock">(HEDDLE_CALLED_FROM, l, t);
  return timed_read_lock(l, t);
}
HEDDLE_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* l, const timespec* t) noexcept {
  tell<"pthread_rwlock_timedwrlock">(HEDDLE_CALLED_FROM, l, t);
  return timed_write_lock(l, t);
}
HEDDLE_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* l, clockid_t clock,
                                             const timespec* t) noexcept {
  tell<"pthread_rwlock_clockrdlock">(HEDDLE_CALLED_FROM, l, clock, t);
  return can_limit(clock) ? timed_read_lock(l, t) : EINVAL;
}
HEDDLE_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* l, clockid_t clock,
                                             const timespec* t) noexcept {
  tell<"pthread_rwlock_clockwrlock">(HEDDLE_CALLED_FROM, l, clock, t);
  return can_limit(clock) ? timed_write_lock(l, t) : EINVAL;
}
HEDDLE_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* l) noexcept { return unlock(l); }
