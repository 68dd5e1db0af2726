#include "findings/trace.hpp"

#include <algorithm>
#include <string_view>

namespace heddle::findings {
namespace {

bool same(const std::optional<Value>& a, const std::optional<Value>& b) {
  return a.has_value() == b.has_value() && (!a || a->text == b->text);
}

bool same(const Action& a, const Action& b) {
  return a.verb == b.verb && a.object.name == b.object.name && same(a.before, b.before) &&
         same(a.after, b.after);
}

}  // namespace

bool reads_the_same(const Row& a, const Row& b) {
  return a.kind == b.kind && a.thread == b.thread && a.verb == b.verb && a.note == b.note &&
         a.alternative == b.alternative && a.alternatives == b.alternatives &&
         a.place.line == b.place.line && a.place.file == b.place.file &&
         a.origin.relation == b.origin.relation && a.origin.threads == b.origin.threads &&
         std::ranges::equal(a.actions, b.actions,
                            [](const Action& x, const Action& y) { return same(x, y); }) &&
         std::ranges::equal(a.holders, b.holders, {}, &Holder::thread, &Holder::thread);
}

Verb verb_of(Mode mode) {
  switch (mode) {
    case Mode::read:
      return Verb::read;
    case Mode::write:
    case Mode::write_in_block:
      return Verb::write;
    case Mode::update:
      return Verb::update;
    case Mode::add:
      return Verb::add;
    case Mode::alloc:
      return Verb::alloc;
    case Mode::free:
      return Verb::free;
    case Mode::lock:
      return Verb::lock;
    case Mode::try_lock:
      return Verb::try_lock;
    case Mode::try_lock_fail:
      return Verb::try_lock_fail;
    case Mode::unlock:
      return Verb::unlock;
    case Mode::read_lock:
      return Verb::read_lock;
    case Mode::try_read_lock:
      return Verb::try_read_lock;
    case Mode::try_read_lock_fail:
      return Verb::try_read_lock_fail;
    case Mode::read_unlock:
      return Verb::read_unlock;
    case Mode::write_lock:
      return Verb::write_lock;
    case Mode::try_write_lock:
      return Verb::try_write_lock;
    case Mode::try_write_lock_fail:
      return Verb::try_write_lock_fail;
    case Mode::write_unlock:
      return Verb::write_unlock;
    case Mode::wait:
      return Verb::wait;
    case Mode::signal:
      return Verb::signal;
    case Mode::broadcast:
      return Verb::broadcast;
    case Mode::wake:
    case Mode::wake_all:
      return Verb::wake;
    case Mode::sem_wait:
      return Verb::sem_wait;
    case Mode::sem_try_wait:
      return Verb::sem_try_wait;
    case Mode::sem_try_wait_fail:
      return Verb::sem_try_wait_fail;
    case Mode::sem_post:
      return Verb::sem_post;
    case Mode::arrive:
      return Verb::arrive;
    case Mode::leave:
      return Verb::leave;
    case Mode::create:
      return Verb::create;
    case Mode::join:
    case Mode::joined:
      return Verb::join;
    case Mode::send:
      return Verb::send;
    case Mode::receive:
      return Verb::receive;
    case Mode::try_receive:
      return Verb::try_receive;
    case Mode::try_receive_none:
      return Verb::try_receive_fail;
    case Mode::time_out:
      return Verb::time_out;
  }
  return Verb::atomic_block;
}

}  // namespace heddle::findings
