#include "runtime/api/cancellation.hpp"

#include <pthread.h>

#include <cerrno>

#include "runtime/api/handles.hpp"
#include "runtime/api/locks.hpp"
#include "runtime/api/uses.hpp"
#include "runtime/kernel/clocks.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/findings.hpp"
#include "runtime/kernel/scheduler.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/kernel/time_limit.hpp"
#include "runtime/kernel/visible.hpp"
#include "runtime/memory/hidden.hpp"
#include "runtime/memory/shadow.hpp"
#include "runtime/sys/export.hpp"

namespace heddle::runtime {
namespace {

constexpr char at_any_time[] =
    "cancelling a thread that can be cancelled at any time (PTHREAD_CANCEL_ASYNCHRONOUS)";

Part& part_of(const Fiber& f) { return hidden.cancellations[f.id]; }

bool is_known_target(const Fiber& f) { return is_learned(&part_of(f), sizeof(Part)); }

bool may_be_cancelled() {
  if (!is_running() || !any_visible()) return false;
  const Fiber& self = current();
  return !self.cancel.disabled && !self.cancel.begun && is_known_target(self);
}

bool sees_cancellation() {
  Fiber& self = current();
  look_at(part_of(self));
  if (self.cancel.asked) acquire(self.id, &self.cancel);
  return self.cancel.asked;
}

}  // namespace

void cancellation_point() {
  if (may_be_cancelled() && sees_cancellation()) be_cancelled();
}

bool is_wait_cancelled(TimeLimit limit) {
  if (!may_be_cancelled()) return false;
  if (sees_cancellation()) return true;
  if (limit.expired) return false;
  if (choose(2) == 1) return true;
  current().cancel.unexpected = true;
  return false;
}

void await_cancellation(TimeLimit limit) {
  Fiber& self = current();
  const bool late = step({.kind = OpKind::sem_wait,
                          .timed = limit.timed,
                          .limited = true,
                          .object = &self.cancel.tokens,
                          .deadline = limit.deadline}) != 0;
  if (late) stop_assuming();
  --self.cancel.tokens.value;
  acquire(self.id, &self.cancel);
}

void be_cancelled() {
  current().cancel.begun = true;
  pthread_exit(PTHREAD_CANCELED);
}

void end_wait() {
  Fiber& self = current();
  if (!self.cancel.unexpected) return;
  if (sees_cancellation()) stop_assuming();
  self.cancel.unexpected = false;
}

bool is_cancellation_ignored() {
  bool any = false;
  for_threads([&](const Fiber& f) {
    any = any || (f.status == Fiber::Status::live && f.cancel.unexpected && f.cancel.asked);
  });
  return any;
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

// Whether the other thread has ended already makes no difference to any thread.
HEDDLE_EXPORT int pthread_cancel(pthread_t handle) {
  Fiber* target = is_running() ? fiber_of(handle) : nullptr;
  if (target == nullptr) return ESRCH;
  note(heddle::abi::note_cancel);
  if (!is_known_target(*target)) make_visible(&part_of(*target), sizeof(Part));
  change(part_of(*target));
  if (target->cancel.asked) return 0;
  if (target->cancel.asynchronous && !target->cancel.disabled) unsupported(at_any_time);
  target->cancel.asked = true;
  release(current().id, &target->cancel);
  step({.kind = OpKind::sem_post, .object = &target->cancel.tokens});
  ++target->cancel.tokens.value;
  count_effect();
  return 0;
}

HEDDLE_EXPORT void pthread_testcancel() { cancellation_point(); }

HEDDLE_EXPORT int pthread_setcancelstate(int state, int* old) {
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
  tell<"pthread_setcancelstate">(HEDDLE_CALLED_FROM, state, old);
  const bool was = is_running() && current().cancel.disabled;
  if (is_running()) current().cancel.disabled = state == PTHREAD_CANCEL_DISABLE;
  if (old != nullptr) *old = was ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  if (is_running() && current().cancel.asynchronous && may_be_cancelled()) unsupported(at_any_time);
  return 0;
}

HEDDLE_EXPORT int pthread_setcanceltype(int type, int* old) {
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  tell<"pthread_setcanceltype">(HEDDLE_CALLED_FROM, type, old);
  const bool was = is_running() && current().cancel.asynchronous;
  if (is_running()) current().cancel.asynchronous = type == PTHREAD_CANCEL_ASYNCHRONOUS;
  if (old != nullptr) *old = was ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
  if (is_running() && current().cancel.asynchronous && may_be_cancelled()) unsupported(at_any_time);
  return 0;
}
