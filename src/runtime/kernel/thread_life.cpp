#include "runtime/kernel/thread_life.hpp"

#include "runtime/abi/naming.h"
#include "runtime/kernel/clocks.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/details.hpp"
#include "runtime/kernel/ending.hpp"
#include "runtime/kernel/explain.hpp"
#include "runtime/kernel/giving_up.hpp"
#include "runtime/kernel/hooks.hpp"
#include "runtime/kernel/polling.hpp"
#include "runtime/kernel/recorder.hpp"
#include "runtime/kernel/scheduler.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/kernel/thread_sets.hpp"
#include "runtime/kernel/trying.hpp"
#include "runtime/kernel/updates.hpp"
#include "runtime/kernel/visible.hpp"
#include "runtime/kernel/visits.hpp"
#include "runtime/sys/check.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace {

using Status = Fiber::Status;

void run_fiber(Fiber* f) {
  be_visited();
  f->result = f->function(f->argument);
  finish_thread();
}

void begin_thread(unsigned id, void* (*function)(void*), void* argument) {
  Fiber& f = fiber(id);
  HEDDLE_RUNTIME_CHECK(f.status == Status::absent);
  f.status = Status::live;
  f.moved_at = reply().event_count;
  f.function = function;
  f.argument = argument;
  f.result = nullptr;
  f.site = f.created_at = id == 0 ? nullptr : current().site;
  f.created = f.in_atomic = f.awaited_by = f.private_arguments = 0;
  f.has_joined = 0;
  f.effects.clear();
  f.choices = 0;
  f.chosen = 0;
  f.updated = nullptr;
  f.loop = nullptr;
  f.bound = abi::Bound::none;
  f.rounds = {};
  f.round.open = false;
  f.idle = {};
  f.cancel = {};
  f.detached = f.joined = f.woke_spuriously = false;
  f.pending = {.kind = OpKind::start};
  f.signal_stack = {nullptr, SS_DISABLE, 0};
  hooks().begin_thread(id);
  prepare_fiber(f, run_fiber);
  set_live(id);
  detail::now.present |= bit(id);
}

void stop_in_loop(const abi::Site* loop, const void* frame, const Op& pending) {
  Fiber& self = current();
  self.status = Status::spinning;
  self.loop = loop;
  self.loop_frame = frame;
  self.pending = pending;
  end_live(self.id);
  await_turn();
  // Its event has ended: what the block does from now on would not be recorded.
  if (self.in_atomic != 0 && !is_trying()) unsupported("a loop in an atomic block that waits");
}

}  // namespace

unsigned next_child() {
  abi::Channel& c = channel();
  Fiber& self = current();
  abi::ThreadNames& threads = c.numbers_afresh != 0 ? c.own_threads : names().threads;
  const unsigned name =
      self.created == abi::max_threads ? 0 : abi::name_thread(threads, self.id, self.created);
  if (name == 0) reach_bound(abi::Bound::threads);
  ++self.created;
  if (reply().threads <= name) reply().threads = name + 1;
  HEDDLE_RUNTIME_CHECK(c.come_count < abi::max_threads);
  c.come[c.come_count++] = static_cast<std::uint8_t>(name);
  return name;
}

void create_thread(unsigned id, void* (*function)(void*), void* argument) {
  HEDDLE_RUNTIME_CHECK(!is_trying());
  detail::now.concurrent = true;
  current().effects.count();
  begin_thread(id, function, argument);
  start_clock(id, current().id);
  make_due(id);
}

void begin_first_thread(void* (*function)(void*)) { begin_thread(0, function, nullptr); }

bool await_end(Fiber& other, TimeLimit limit) {
  if (is_trying()) try_effect();
  Fiber& self = current();
  settle(self);
  if (other.status != Status::ended) {
    if (self.in_atomic != 0) unsupported("waiting for the end of a thread in an atomic block");
    self.pending = {.kind = OpKind::join,
                    .timed = limit.timed,
                    .limited = limit.limited,
                    .value = other.id,
                    .deadline = limit.deadline};
    HEDDLE_RUNTIME_CHECK(other.awaited_by == 0);
    other.awaited_by = self.id + 1;
    if (is_explaining()) note_announced();
    await_turn();  // or it times out at once
  }
  if (other.status != Status::ended) {
    other.awaited_by = 0;
    reach(limit);
    return false;
  }
  self.has_joined |= bit(other.id) | other.has_joined;
  return true;
}

void leave_thread(Status status) {
  if (is_trying()) try_effect();
  Fiber& f = current();
  f.status = status;
  f.entered = static_cast<std::uint64_t*>(__builtin_frame_address(0));
  end_live(f.id);
  if (status == Status::ended && f.awaited_by != 0) make_due(f.awaited_by - 1);
  if (status == Status::ended && live_threads() == 0) hooks().exit_after_last();
  switch_to(decide());
  __builtin_unreachable();
}

void finish_thread() {
  hooks().end_thread();
  leave_thread(Status::ended);
}

void exit_process(int status) {
  if (is_trying()) try_effect();
  if (is_exit_visible() && is_concurrent()) step({.kind = OpKind::exit});
  note_exit(status, live_threads() & ~bit(current().id));
  leave_thread(Status::failed);
}

void stop_for_ever() { leave_thread(Status::failed); }

void bring_back(Fiber& f, void (*function)(Fiber*)) {
  HEDDLE_RUNTIME_CHECK(f.status == Status::ended);
  f.status = Status::live;
  f.pending = {.kind = OpKind::start};
  for_threads([&](const Fiber& other) {
    if (&other == &f) return;
    f.has_joined |= bit(other.id) | other.has_joined;
    join_thread(f.id, other.id);
  });
  if (&f != &current()) clear_stack(f);
  prepare_stack(f, function);
  set_live(f.id);
  make_due(f.id);
}

void stop_spinning(const abi::Site* loop, const void* frame) {
  stop_in_loop(loop, frame, {.kind = OpKind::start});
}

void wait_in_loop(const abi::Site* loop, const void* frame, std::uint64_t until) {
  stop_in_loop(loop, frame, {.kind = OpKind::start, .timed = true, .deadline = until});
  const abi::WireMove last = last_move();
  if (is_trying() || last.thread != current().id || last.alternative != timed_out) return;
  if (time_of(current().id) < until) time_of(current().id) = until;
  pass_time(current());
}

void clear_threads() {
  for_threads(clear_fiber);
  detail::now.present = 0;
  clear_thread_sets();
}

void save_threads(Savepoint& into) {
  into.undo([](void*, std::uint64_t) { clear_threads(); }, nullptr, 0);
  for_threads([&](Fiber& f) {
    save_fiber(f, &f == &current() || f.status == Status::live || f.status == Status::spinning,
               into);
  });
  into.keep(detail::now.present);
  into.keep(detail::now.fiber);
  into.keep(detail::now.concurrent);
  save_thread_sets(into);
}

void clear_names() { channel().come_count = 0; }
void save_names(Savepoint& into) { into.keep(channel().come_count); }

}  // namespace heddle::runtime
