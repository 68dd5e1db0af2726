#include "runtime/locks.hpp"

#include "runtime/clocks.hpp"
#include "runtime/memory.hpp"
#include "runtime/scheduler.hpp"

namespace heddle::runtime {
namespace {

bool is_ordered() { return is_running() && is_concurrent(); }

}  // namespace

unsigned self_id() { return is_running() ? current().id : 0; }

bool step_on(OpKind kind, void* object, const TimeLimit& limit) {
  if (!is_running()) return false;
  const unsigned alternative =
      step({.kind = kind, .timed = limit.timed, .object = object, .deadline = limit.deadline});
  use_object(object);
  if (alternative == 0) return false;
  reach(limit);
  return true;
}

void acquire_at(const void* object) {
  if (is_ordered()) acquire(current().id, object);
}
void release_at(const void* object) {
  if (is_ordered()) release(current().id, object);
}

void count_effect() {
  if (is_running()) current().count_effect();
}
void count_taking(const void* lock) {
  if (!is_running()) return;
  Fiber& self = current();
  const std::uint64_t before = self.effects;
  self.count_effect();
  if (self.taken_count < Fiber::max_taken)
    self.taken[self.taken_count++] = {lock, before, self.effects};
}
void count_giving(const void* lock) {
  if (!is_running()) return;
  Fiber& self = current();
  const Fiber::Taken* last = self.taken_count == 0 ? nullptr : &self.taken[self.taken_count - 1];
  if (last == nullptr || last->lock != lock || last->after != self.effects) {
    self.taken_count = 0;
    self.count_effect();
    return;
  }
  self.effects = last->before;
  --self.taken_count;
}

void refuse_shared(int pshared) {
  if (pshared == PTHREAD_PROCESS_SHARED && is_running())
    unsupported("locks and the like that are shared between processes");
}

void misuse(const char* what) { fail(abi::Finding::lock_misuse, what); }

bool holds(const Mutex& m) { return m.owner == self_id() + 1; }

bool lock_mutex(void* object, const TimeLimit& limit) {
  if (step_on(OpKind::lock, object, limit)) return false;
  take_mutex(as<Mutex>(object));
  return true;
}

void take_mutex(Mutex& m) {
  m.owner = self_id() + 1;
  m.count = 1;
  m.locked_at = is_running() ? current().site : nullptr;
  acquire_at(&m);
  count_taking(&m);
}

void release_mutex(Mutex& m) {
  release_at(&m);
  count_giving(&m);
  m.owner = m.count = 0;
}

void unlock_mutex(void* object) {
  step_on(OpKind::unlock, object);
  release_mutex(as<Mutex>(object));
}

}  // namespace heddle::runtime
