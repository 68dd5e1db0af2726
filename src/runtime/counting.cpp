// Semaphores, and what they share with barriers.
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

#include <cerrno>
#include <cstring>

#include "runtime/channel.hpp"
#include "runtime/export.hpp"
#include "runtime/findings.hpp"
#include "runtime/locks.hpp"
#include "runtime/memory.hpp"
#include "runtime/run_table.hpp"
#include "runtime/scheduler.hpp"

namespace heddle::runtime {
namespace {

struct Incarnations {
  std::uint64_t key;
  std::uint32_t count;
};
RunTable<Incarnations> incarnations;

}  // namespace

void set_up_incarnations() { incarnations.set_up(1 << 8); }
void clear_incarnations() { incarnations.clear(); }
void save_incarnations(Savepoint& into) { incarnations.save(into); }

std::uint32_t next_incarnation(const void* object) {
  if (!is_running()) return 0;
  return ++incarnations.at(reinterpret_cast<std::uint64_t>(object)).count;
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

namespace {

int fail_with(int error) {
  errno = error;
  return -1;
}

void take(sem_t* s) {
  auto& state = as<Semaphore>(s);
  --state.value;
  if (!is_running()) --state.initial;
  acquire_at(s);
  count_effect();
}

int timed_wait(sem_t* s, const TimeLimit& limit) {
  if (limit.expired) return sem_trywait(s) == 0 ? 0 : fail_with(ETIMEDOUT);
  if (is_running()) check_heap(s, 1);
  if (step_on(OpKind::sem_wait, s, limit)) return fail_with(ETIMEDOUT);
  take(s);
  return 0;
}

}  // namespace

HEDDLE_EXPORT int sem_init(sem_t* s, int shared, unsigned value) noexcept {
  refuse_shared(shared != 0 ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE);
  if (value > SEM_VALUE_MAX) return fail_with(EINVAL);
  std::memset(s, 0, sizeof *s);
  as<Semaphore>(s) = {value, value, next_incarnation(s)};
  return 0;
}
HEDDLE_EXPORT int sem_destroy(sem_t* s) noexcept {
  end_object(s, sizeof *s);
  return 0;
}
HEDDLE_EXPORT int sem_wait(sem_t* s) { return timed_wait(s, {}); }
HEDDLE_EXPORT int sem_trywait(sem_t* s) noexcept {
  if (is_running()) check_heap(s, 1);
  step_on(OpKind::sem_try_wait, s);
  if (as<Semaphore>(s).value == 0) return fail_with(EAGAIN);
  take(s);
  return 0;
}
HEDDLE_EXPORT int sem_timedwait(sem_t* s, const timespec* t) { return timed_wait(s, limit_at(t)); }
HEDDLE_EXPORT int sem_clockwait(sem_t* s, clockid_t, const timespec* t) {
  return timed_wait(s, limit_at(t));
}
HEDDLE_EXPORT int sem_post(sem_t* s) noexcept {
  if (is_running()) check_heap(s, 1);
  step_on(OpKind::sem_post, s);
  auto& state = as<Semaphore>(s);
  ++state.value;
  if (!is_running()) ++state.initial;
  release_at(s);
  count_effect();
  return 0;
}
HEDDLE_EXPORT int sem_getvalue(sem_t* s, int* out) noexcept {
  const auto& state = as<Semaphore>(s);
  if (is_running()) check_heap(s, 1);
  if (is_running() && is_concurrent()) {
    note(heddle::abi::note_semaphore_value);
    // If not, it is a step from the next attempt on: this one ends when the engine has learned it.
    if (settings().semaphore_values != 0)
      step({.kind = OpKind::load, .object = s, .size = sizeof state.value});
    use_object(s);
  }
  *out = static_cast<int>(state.value);
  return 0;
}
HEDDLE_EXPORT sem_t* sem_open(const char*, int, ...) noexcept {
  unsupported("sem_open (named semaphores)");
}
HEDDLE_EXPORT int sem_unlink(const char*) noexcept { unsupported("sem_unlink (named semaphores)"); }
HEDDLE_EXPORT int sem_close(sem_t*) noexcept { unsupported("sem_close (named semaphores)"); }
