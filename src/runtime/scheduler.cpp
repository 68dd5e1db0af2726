#include "runtime/scheduler.hpp"

#include <cstdio>
#include <cstring>

#include "base/random.hpp"
#include "runtime/blocks.hpp"
#include "runtime/cancellation.hpp"
#include "runtime/channel.hpp"
#include "runtime/clock.hpp"
#include "runtime/clocks.hpp"
#include "runtime/debugger.hpp"
#include "runtime/details.hpp"
#include "runtime/early.hpp"
#include "runtime/ending.hpp"
#include "runtime/findings.hpp"
#include "runtime/giving_up.hpp"
#include "runtime/gluing.hpp"
#include "runtime/heap.hpp"
#include "runtime/hidden.hpp"
#include "runtime/last_thread.hpp"
#include "runtime/memory.hpp"
#include "runtime/polling.hpp"
#include "runtime/process.hpp"
#include "runtime/properties.hpp"
#include "runtime/recorder.hpp"
#include "runtime/savepoint.hpp"
#include "runtime/shadow.hpp"
#include "runtime/signals.hpp"
#include "runtime/state.hpp"
#include "runtime/threads.hpp"
#include "runtime/updates.hpp"
#include "runtime/visible.hpp"

namespace heddle::runtime {

namespace detail {
Fiber* current_fiber = nullptr;
bool running = false, concurrent = false;
std::uint64_t present = 0;
}  // namespace detail

namespace {

using Status = Fiber::Status;
using abi::Ending;
using abi::Finding;

std::uint64_t live = 0;  // threads, by number
// Those that can go on without a step, to what will be their next: nobody sees when they do. So it
// is when they are chosen, or when it matters what all threads wait for.
std::uint64_t due = 0;
bool stuck = false;  // none of them can go on
unsigned mover = 0;  // who took the last step
std::uint16_t yielding = nobody;
Random randomness(1);
std::uint32_t step_limit, move_count;
const abi::WireMove* schedule;
std::uint32_t save_at;  // after so many events
bool saving = false;    // the base has been entered only for that
bool asking = false;    // or to ask whether a thread that spins would go on
bool spinner_goes_on;   // the answer

constexpr std::uint32_t most_choices = 1000;  // of one thread: to explore more would take for ever

// After so many events of others, it is a thread's turn; it is looked for such each so many.
constexpr std::uint32_t patience = 64, looks_around = 32;

std::uint64_t bit(unsigned id) { return std::uint64_t{1} << id; }

bool is_due(unsigned id) { return (due & bit(id)) != 0; }

// Unless it is due.
bool can_go(unsigned id) { return (live >> id & 1) != 0 && is_enabled(fiber(id).pending, id); }

// Who would go on at some time, if nobody did otherwise: it waits so long, or spins.
bool has_limit(unsigned id) {
  const Status status = fiber(id).status;
  return fiber(id).pending.timed && (status == Status::live || status == Status::spinning);
}
std::uint64_t limited() {
  std::uint64_t out = 0;
  for_threads([&](const Fiber& f) { out |= has_limit(f.id) ? bit(f.id) : 0; });
  return out;
}

bool gives_up(abi::WireMove move) {
  return move.alternative == timed_out && fiber(move.thread).pending.timed;
}

// How many the thread has to choose from whose limits end at the same time, see giving_up.hpp.
unsigned choices_to_give_up(unsigned id) {
  const bool may = id < abi::max_threads && has_limit(id);
  return may && !can_go(id) ? elects(id, limited()) : 0;
}

bool reaches_limit(abi::WireMove move) {
  return gives_up(move) || choices_to_give_up(move.thread) != 0;
}

// Back to where the run was started from.
[[noreturn]] void end_run(Ending ending) {
  reply().ending = ending;
  Fiber& last_one = current();
  detail::current_fiber = &base_fiber();
  switch_fibers(last_one, base_fiber());
  __builtin_unreachable();
}

[[noreturn, gnu::cold]] void end_endless(const Fiber& next, const char* why) {
  note_endless(next, why);
  end_run(Ending::complete);
}

[[noreturn, gnu::cold]] void end_misfit(unsigned id, const char* why) {
  reply().misfit_at = reply().event_count;
  char text[100];
  std::snprintf(text, sizeof text, "thread %u %s", id, why);
  note_reason(text, nullptr);
  end_run(Ending::misfit);
}

// What the live threads would do next. (Unless the run stops here, nobody can go on.)
template <typename What>
void record_pending(What can) {
  for (std::uint64_t rest = live; rest != 0; rest &= rest - 1) {
    const auto id = static_cast<unsigned>(__builtin_ctzll(rest));
    const Fiber& f = fiber(id);
    begin_waiting(id, can(id), f.pending.alternatives, f.site);
    record_accesses(f.pending, id);
    record_joined(f.has_joined);
    end_event();
  }
}

[[gnu::noinline]] void record_waiting() {
  record_pending([](unsigned) { return abi::Can::wait; });
}

// This would be next: either somebody can go on, or this is whose time limit is reached.
[[noreturn, gnu::noinline]] void end_looking(abi::WireMove next) {
  const unsigned count = choices_to_give_up(next.thread);
  record_pending([&](unsigned id) {
    if (can_go(id)) return abi::Can::go_on;
    return id == next.thread && count == 0 ? abi::Can::give_up : abi::Can::wait;
  });
  if (fiber(next.thread).status == Status::spinning) {
    begin_waiting(next.thread, abi::Can::give_up, 1, fiber(next.thread).site);
    end_event();
  }
  if (count != 0) {
    begin_waiting(next.thread, abi::Can::go_on, static_cast<std::uint16_t>(count),
                  fiber(next.thread).site);
    record_time_out();
    end_event();
  }
  end_run(Ending::stopped);
}

void end_stuck() {
  record_waiting();
  reply().ending = judge_stuck(live);
}

[[gnu::noinline]] void choose_to_give_up(abi::WireMove move, unsigned count) {
  record_waiting();
  begin_event(move, static_cast<std::uint16_t>(count), fiber(move.thread).site);
  record_time_out();
  if (is_explaining()) note_event(move.thread, fiber(move.thread).pending, true);
  end_event();
  elect(move, limited());
}

void check_fits(abi::WireMove move) {
  const unsigned id = move.thread;
  if (id >= abi::max_threads || fiber(id).status == Status::absent)
    end_misfit(id, "has not been created");
  if (fiber(id).status == Status::ended) end_misfit(id, "has ended");
  if (fiber(id).status == Status::failed) end_misfit(id, "has failed");
  if (fiber(id).status != Status::live && !has_limit(id))
    end_misfit(id, "waits in a loop, or for an assumption");
  const Op& op = fiber(id).pending;
  if (const unsigned count = choices_to_give_up(id); count != 0) {
    if (move.alternative >= count) end_misfit(id, "has no such alternative");
    return;
  }
  if (move.alternative == timed_out && op.timed) return;
  if (!can_go(id)) end_misfit(id, "waits");
  if (move.alternative >= op.alternatives && op.kind != OpKind::block)
    end_misfit(id, "has no such alternative");
}

[[gnu::noinline]] abi::WireMove at_random() {
  std::uint16_t able[abi::max_threads];
  unsigned count = 0;
  for (std::uint64_t rest = live; rest != 0; rest &= rest - 1) {
    const auto id = static_cast<unsigned>(__builtin_ctzll(rest));
    if (can_go(id)) able[count++] = static_cast<std::uint16_t>(id);
  }
  if (count == 0) return next_to_give_up(limited());
  const std::uint16_t id = able[randomness.below(count)];
  const auto alternatives = fiber(id).pending.alternatives;
  return {id, static_cast<std::uint16_t>(alternatives > 1 ? randomness.below(alternatives) : 0)};
}

// A thread that polls for what another one is to do must not keep that one from it: from time to
// time, who could have gone on for longest does, if that is long. (As all of the policy, this
// depends on nothing but the events so far: so it is the same in all runs that begin like this.)
[[gnu::noinline]] std::uint16_t overdue(std::uint32_t now) {
  std::uint16_t out = nobody;
  std::uint32_t oldest = now - patience + 1;
  for (std::uint64_t rest = live; rest != 0; rest &= rest - 1) {
    const auto id = static_cast<unsigned>(__builtin_ctzll(rest));
    if (fiber(id).moved_at >= oldest || !(is_due(id) || can_go(id))) continue;
    out = static_cast<std::uint16_t>(id);
    oldest = fiber(id).moved_at;
  }
  return out;
}

// The thread that went last goes on while it can, and does not yield; then the next that can.
abi::WireMove by_policy() {
  if (request().seed != 0) return at_random();
  const std::uint32_t now = reply().event_count;
  if (now % looks_around == 0 && now >= patience) [[unlikely]]
    if (const std::uint16_t id = overdue(now); id != nobody) return {id, 0};
  const bool yields = yielding != nobody;
  if (!yields && (is_due(mover) || can_go(mover))) return {static_cast<std::uint16_t>(mover), 0};
  const std::uint64_t above = yields ? live & ~(2 * bit(yielding) - 1) : 0;
  for (const std::uint64_t part : {above, live & ~above})
    for (std::uint64_t rest = part; rest != 0; rest &= rest - 1) {
      const auto id = static_cast<unsigned>(__builtin_ctzll(rest));
      if (is_due(id) || can_go(id)) return {static_cast<std::uint16_t>(id), 0};
    }
  return next_to_give_up(limited());
}

// The current thread leaves it to the base, so that no part of the state is in registers. It goes
// on once in this run, and in each run that begins here.
[[gnu::noinline]] void be_saved() {
  end_event();
  save_at = ~0U;
  saving = true;
  switch_fibers(current(), base_fiber());
}

bool is_any_spinning() {
  bool any = false;
  for_threads(
      [&](const Fiber& f) { any = any || (f.status == Status::spinning && !f.pending.timed); });
  return any;
}

// A time limit is a last resort: not while a thread that was stopped in its loop could leave it. In
// another run it comes to the loop later, so that this one may be cut off. (If the current thread
// is one of those, it is tried from here, and goes on at once.)
[[gnu::noinline]] bool is_held_up() {
  if (!is_any_spinning()) return false;
  asking = true;
  switch_fibers(current(), base_fiber());
  return !is_trying() && spinner_goes_on;
}

// Whoever spins has been waiting for as long as the limit that was reached: all look again.
[[gnu::noinline]] void let_spinners_look() {
  for_threads([](Fiber& f) {
    if (f.status != Status::spinning) return;
    f.status = Status::live;
    f.pending = {.kind = OpKind::start};
    f.rounds = {};
    live |= bit(f.id);
    due |= bit(f.id);
  });
}

// Those that are due are to go on first: the thread that is to take the next step waits for the end
// of another; or it matters what each thread would do, for a choice among all, or because it is
// told, as it is when one gives up waiting.
bool due_go_first(bool follows) {
  if (due == 0) return false;
  if (!follows) return request().then == abi::Then::look || request().seed != 0;
  const auto [id, alternative] = schedule[reply().event_count];
  return alternative == timed_out || (id < abi::max_threads && !is_due(id) && !can_go(id));
}

Fiber& go_on_without_step(unsigned id) {
  due &= ~bit(id);
  reply().going = id;
  reply().going_at = reply().event_count;
  return fiber(id);
}

// Who goes on: the base if nobody can. Records the step as taken, unless that is none.
Fiber& decide() {
  if (is_explaining()) settle_accesses();
  if (reply().event_count == save_at) [[unlikely]]
    be_saved();
  abi::ReplyHeader& r = reply();
  const bool follows = r.event_count < move_count;
  if (!follows && request().then == abi::Then::stop) end_run(Ending::stopped);
  if (due_go_first(follows)) return go_on_without_step(static_cast<unsigned>(__builtin_ctzll(due)));
  const abi::WireMove move = follows ? schedule[r.event_count] : by_policy();
  if (move.thread < abi::max_threads && is_due(move.thread)) return go_on_without_step(move.thread);
  if (follows) check_fits(move);
  stuck = move.thread == nobody ||
          (!follows && reaches_limit(move) &&
           (is_cancellation_ignored() || is_held_up() || (!is_trying() && locked_up(live) != 0)));
  if (stuck) return base_fiber();
  if (is_trying()) return current();
  if (r.event_count >= step_limit) [[unlikely]]
    end_endless(fiber(move.thread), "the run takes too many steps: perhaps it never ends");
  if (!follows && is_over(r.event_count)) [[unlikely]] {
    note_left_running(fiber(move.thread));
    end_run(Ending::complete);
  }
  if (!follows && request().then == abi::Then::look) end_looking(move);
  if (const unsigned count = choices_to_give_up(move.thread); count != 0) [[unlikely]] {
    choose_to_give_up(move, count);
    return decide();
  }
  end_election();
  mover = move.thread;
  Fiber& next = fiber(mover);
  const Op& op = next.pending;
  const bool late = gives_up(move);
  if (late) record_waiting();
  begin_event(move, op.alternatives, next.site);
  if (late)
    record_time_out();
  else
    record_accesses(op, move.thread);
  record_joined(next.has_joined);
  next.has_joined = 0;
  next.moved_at = r.event_count;
  yielding = nobody;
  if (late) {
    let_spinners_look();
    due &= ~bit(mover);
  }
  if (is_explaining()) note_event(move.thread, op, late);
  if (op.kind != OpKind::block) end_event();
  return next;
}

void switch_to(Fiber& to) {
  Fiber& from = current();
  detail::current_fiber = &to;
  switch_fibers(from, to);
  be_visited();
}

void run_fiber(Fiber* f) {
  be_visited();
  f->result = f->function(f->argument);
  finish_thread();
}

void begin_thread(unsigned id, void* (*function)(void*), void* argument) {
  Fiber& f = fiber(id);
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
  clear_arena(id);
  clear_thread_data(id);
  begin_signals(id);
  begin_properties(id);
  f.signal_stack = {nullptr, SS_DISABLE, 0};
  prepare_fiber(f, run_fiber);
  live |= bit(id);
  detail::present |= bit(id);
}

[[noreturn]] void leave_thread(Status status) {
  if (is_trying()) try_effect();
  Fiber& f = current();
  f.status = status;
  live &= ~bit(f.id);
  if (status == Status::ended && f.awaited_by != 0) due |= bit(f.awaited_by - 1);
  if (status == Status::ended && live == 0) exit_after_last();
  switch_to(decide());
  __builtin_unreachable();
}

void stop_in_loop(const abi::Site* loop, const void* frame, const Op& pending) {
  Fiber& self = current();
  self.status = Status::spinning;
  self.loop = loop;
  self.loop_frame = frame;
  self.pending = pending;
  live &= ~bit(self.id);
  Fiber& next = decide();
  if (&next != &self) switch_to(next);
}

// What the request asks for.
void read_request() {
  step_limit = settings().step_limit;
  move_count = request().move_count;
  schedule = moves();
  save_at = next_savepoint();
  if (request().seed != 0) randomness = Random(request().seed);
  begin_explaining(request().then == abi::Then::explain);
  if (is_explaining()) clear_details();
}

// From the base, until the run is over.
void run_from(Fiber& first) {
  detail::current_fiber = &first;
  detail::running = true;
  switch_fibers(base_fiber(), first);
  while (saving || asking) {
    if (saving) make_savepoint(save_state);
    if (asking) spinner_goes_on = would_spinner_go_on(live);
    saving = asking = false;
    switch_fibers(base_fiber(), current());
  }
  end_event();
  if (stuck) end_stuck();
  detail::current_fiber = nullptr;
  detail::running = detail::concurrent = false;
  report_races();
  report_findings();
  if (is_explaining()) {
    settle_accesses();
    report_details();
  }
}

}  // namespace

unsigned step_pending() {
  Fiber& self = current();
  const Op& op = self.pending;
  settle(self);
  if (is_gluing()) [[unlikely]]
    give_up("a round that follows another at once takes a step");
  if (self.in_atomic != 0) return step_in_block(op);
  if (is_trying()) return try_step(op);
  if (is_explaining()) note_announced();
  Fiber& next = decide();
  if (&next != &self) switch_to(next);
  if (is_explaining()) show_event();
  // The latest event is the one that let this thread go on.
  return last_move().alternative;
}

unsigned choose(unsigned n) {
  if (n <= 1) return 0;
  current().effects.count();
  return choose_without_effect(n);
}

unsigned choose_without_effect(unsigned n) {
  if (++current().chosen > most_choices && !is_trying())
    end_endless(current(), "a thread makes more than 1000 choices in a run: perhaps it never ends");
  return step({.kind = OpKind::choose, .alternatives = static_cast<std::uint16_t>(n)});
}

void prefer_others() { yielding = static_cast<std::uint16_t>(current().id); }

void create_thread(unsigned id, void* (*function)(void*), void* argument) {
  detail::concurrent = true;
  current().effects.count();
  begin_thread(id, function, argument);
  start_clock(id, current().id);
  due |= bit(id);
}

bool await_end(Fiber& other, const TimeLimit& limit) {
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
    other.awaited_by = self.id + 1;
    if (is_explaining()) note_announced();
    switch_to(decide());
  }
  if (other.status != Status::ended) {
    other.awaited_by = 0;
    reach(limit);
    return false;
  }
  self.has_joined |= bit(other.id) | other.has_joined;
  return true;
}

void finish_thread() {
  run_thread_destructors();
  if (is_concurrent()) {
    end_own_memory();
    change(hidden.ends[current().id]);
  }
  leave_thread(Status::ended);
}

void bring_back(Fiber& f, void (*function)(Fiber*)) {
  f.status = Status::live;
  f.pending = {.kind = OpKind::start};
  for_threads([&](const Fiber& other) {
    if (&other == &f) return;
    f.has_joined |= bit(other.id) | other.has_joined;
    join_thread(f.id, other.id);
  });
  prepare_stack(f, function);
  live |= bit(f.id);
  due |= bit(f.id);
}

void exit_process(int status) {
  if (is_trying()) try_effect();
  if (is_exit_visible() && is_concurrent()) step({.kind = OpKind::exit});
  note_exit(status, live & ~bit(current().id));
  leave_thread(Status::failed);
}

void stop_for_ever() { leave_thread(Status::failed); }

void fail(Finding kind, const char* message, const Stack* stack) {
  if (!is_running()) end_before_main(kind, message);
  if (is_trying()) try_effect();
  note_finding(kind, message, current().site, stack);
  leave_thread(Status::failed);
}

void unsupported(const char* what) {
  if (!is_running()) refuse_before_main(what);
  if (is_trying()) try_effect();
  note_reason(what, is_running() ? current().site : nullptr);
  end_run(Ending::unsupported);
}

void end_endless() { end_endless(current(), "a loop goes round too often: perhaps it never ends"); }

void reach_bound(abi::Bound bound) {
  if (!is_running()) refuse_before_main(abi::bound_texts[static_cast<unsigned>(bound)]);
  if (is_trying()) try_effect();
  current().bound = bound;
  const bool may_go = bound != abi::Bound::memory && current().in_atomic == 0;
  if (may_go) leave_thread(Status::assuming);
  note_bound(current());
  end_run(Ending::cut_off);
}

void stop_assuming() { leave_thread(Status::assuming); }

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

void clear_scheduler() {
  for_threads(clear_fiber);
  detail::present = live = due = 0;
  stuck = false;
  mover = 0;
  yielding = nobody;
  end_election();
  channel().come_count = 0;
}

void save_scheduler(Savepoint& into) {
  into.undo([](void*, std::uint64_t) { clear_scheduler(); }, nullptr, 0);
  for_threads([&](Fiber& f) {
    save_fiber(f, &f == &current() || f.status == Status::live || f.status == Status::spinning,
               into);
  });
  into.keep(detail::present);
  into.keep(detail::current_fiber);
  into.keep(detail::concurrent);
  into.keep(live);
  into.keep(due);
  into.keep(mover);
  into.keep(yielding);
  save_election(into);
  into.keep(channel().come_count);
}

void run_program(void* (*main_function)(void*)) {
  if (settings_changed()) {
    set_visible();
    set_pardons();
    drop_savepoints();
  }
  if (rewind_for_request()) {
    resume_recording();
    read_request();
    return run_from(current());
  }
  reset_state();
  read_request();
  begin_thread(0, main_function, nullptr);
  run_from(fiber(0));
}

}  // namespace heddle::runtime
