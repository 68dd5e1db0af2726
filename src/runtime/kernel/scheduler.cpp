// `decide` is the heart of the runtime: it is called once for each step of each thread of each run,
// by the thread that has come to a step (or ends), and returns the thread that continues. Most
// often that is the same one, and then nothing is switched.
//
// It follows the schedule as long as there is one, and the policy after that. Three things come in
// between:
// - Threads that are *due* continue to their next step without taking one (thread_sets.hpp). They
//   do so when they are chosen, or when it matters what all threads wait for.
// - A *time limit* is a last resort: a thread times out only if no thread can continue otherwise,
//   and no thread that was stopped in its loop would leave it now. To find that out, such threads
//   are tried; that is done from the base, as everything is undone afterwards: the errand `ask`. If
//   several limits end at the same time, one thread chooses (giving_up.hpp).
// - Where the next run will diverge from this one, a savepoint is made: from the base, too, so that
//   no part of the state is in registers: the errand `save`.
//
// Entry points: step and choose, for threads; decide and switch_to, for starts, ends and joins
// (thread_life.cpp), which are not steps; follow, take_errand, answer and is_stuck, for the run
// (run.cpp), which owns the base fiber.
//
// What may not be done here: anything that makes a move depend on more than the schedule, the seed
// and the events so far, such as addresses or times of the system; touch memory of the program,
// which may fault, except through is_enabled and record_accesses; or do more than a few comparisons
// on the path of a step that follows a schedule: that is most of what a worker does.
#include "runtime/kernel/scheduler.hpp"

#include "runtime/kernel/asleep.hpp"
#include "runtime/kernel/blocks.hpp"
#include "runtime/kernel/dead_values.hpp"
#include "runtime/kernel/debugger.hpp"
#include "runtime/kernel/details.hpp"
#include "runtime/kernel/digest.hpp"
#include "runtime/kernel/ending.hpp"
#include "runtime/kernel/explain.hpp"
#include "runtime/kernel/giving_up.hpp"
#include "runtime/kernel/hooks.hpp"
#include "runtime/kernel/messages.hpp"
#include "runtime/kernel/objects.hpp"
#include "runtime/kernel/operations.hpp"
#include "runtime/kernel/pending.hpp"
#include "runtime/kernel/policy.hpp"
#include "runtime/kernel/recorder.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/kernel/thread_sets.hpp"
#include "runtime/kernel/trial.hpp"
#include "runtime/kernel/turn.hpp"
#include "runtime/kernel/updates.hpp"
#include "runtime/kernel/visits.hpp"
#include "runtime/kernel/waits.hpp"
#include "runtime/sys/check.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace {

using Status = Fiber::Status;
using abi::Ending;

struct Scheduler {
  const abi::WireMove* schedule;
  std::uint32_t move_count, step_limit;
  std::uint32_t save_at;  // after how many events
  bool stuck;             // no thread can continue
  DeadValues dead_values;
  Errand errand;
  bool spinner_goes_on;  // the answer to `ask`
};
constinit Scheduler scheduler{};  // of a run

// With more choices of one thread in a run, exploration would take for ever: with two alternatives
// each, there are 2^1000 runs.
constexpr std::uint32_t most_choices = 1000;

// Ends the run if the schedule's next move is not possible.
void check_fits(abi::WireMove move) {
  const unsigned id = move.thread;
  if (id >= abi::max_threads || fiber(id).status == Status::absent)
    end_diverged(id, "has not been created");
  if (fiber(id).status == Status::ended) end_diverged(id, "has ended");
  if (fiber(id).status == Status::failed) end_diverged(id, "has failed");
  if (fiber(id).status != Status::live && !has_limit(id))
    end_diverged(id, "waits in a loop, or for an assumption");
  if (is_held(id)) end_diverged(id, "is held back by the cube");
  const Op& op = fiber(id).pending;
  if (const unsigned count = choices_to_give_up(id); count != 0) {
    if (move.alternative >= count) end_diverged(id, "has no such alternative");
    return;
  }
  if (move.alternative == timed_out && op.timed) return;
  if (!could_go(id)) end_diverged(id, "waits");
  if (move.alternative >= op.alternatives && op.kind != OpKind::block)
    end_diverged(id, "has no such alternative");
}

// The thread continues once in this run, and once in each run that begins here.
[[gnu::noinline]] void be_saved() {
  HEDDLE_RUNTIME_CHECK(!is_trying());
  end_event();
  scheduler.save_at = ~0U;
  scheduler.errand.save = true;
  switch_fibers(current(), base_fiber());
}

bool is_any_spinning() {
  bool any = false;
  for_threads(
      [&](const Fiber& f) { any = any || (f.status == Status::spinning && !f.pending.timed); });
  return any;
}

// True while a thread that was stopped in its loop could leave it: in another run it comes to the
// loop later, so that this one may be cut off. (If the current thread is one of those, it is tried
// from here, and continues at once.)
[[gnu::noinline]] bool is_held_up() {
  if (!is_any_spinning()) return false;
  HEDDLE_RUNTIME_CHECK(!is_trying() && !scheduler.errand.ask);
  scheduler.errand.ask = true;
  switch_fibers(current(), base_fiber());
  return !is_trying() && scheduler.spinner_goes_on;
}

// A thread that spins has been waiting for as long as the limit that was reached: all check again.
[[gnu::noinline]] void let_spinners_look() {
  for_threads([](Fiber& f) {
    if (f.status != Status::spinning) return;
    f.status = Status::live;
    f.pending = {.kind = OpKind::start};
    f.rounds = {};
    set_live(f.id);
    make_due(f.id);
  });
}

// Threads that are due continue first: the thread that is to take the next step waits for the end
// of another; or it matters what each thread would do, for a choice among all, or because it is
// recorded, as it is when one times out.
bool due_go_first(bool follows) {
  if (due_threads() == 0) return false;
  if (!follows) return request().then == abi::Then::list || request().seed != 0;
  const auto [id, alternative] = scheduler.schedule[reply().event_count];
  return alternative == timed_out || (id < abi::max_threads && !is_due(id) && !can_go(id));
}

unsigned first_due() { return static_cast<unsigned>(__builtin_ctzll(due_threads())); }

Fiber& go_on_without_step(unsigned id) {
  HEDDLE_RUNTIME_CHECK(is_live(id) && is_due(id));
  end_due(id);
  reply().going = id;
  reply().going_at = reply().event_count;
  return fiber(id);
}

// A time limit would be reached, but may not be.
bool must_not_time_out() {
  return hooks().is_cancellation_ignored() || is_held_up() ||
         (!is_trying() && locked_up(live_threads()) != 0);
}

// Records that the thread takes its step.
void take(abi::WireMove move) {
  Fiber& next = fiber(move.thread);
  const Op& op = next.pending;
  const bool late = times_out(move);
  HEDDLE_RUNTIME_CHECK(is_live(move.thread) || late);
  if (late) record_waiting();
  begin_event(move, op.alternatives, next.site);
  if (late)
    record_time_out();
  else
    record_accesses(op, move.thread);
  record_joined(next.has_joined);
  next.has_joined = 0;
  next.moved_at = reply().event_count;
  ++next.taken;
  note_move(move.thread);
  if (late) {
    let_spinners_look();
    end_due(move.thread);
  }
  if (is_explaining()) note_event(move.thread, op, late);
  if (any_asleep()) wake_by_event(move.thread, late || op.kind == OpKind::block);
  if (op.kind != OpKind::block) end_event();
}

// The state after the last event, which the thread that made it has left for good: it, and all
// that are due, have come to their next steps.
[[gnu::noinline]] void compare_state() {
  if (take_digest()) end_run(Ending::known);
}

}  // namespace

Fiber& decide() {
  if (is_explaining()) settle_accesses();
  if (reply().event_count == scheduler.save_at) [[unlikely]]
    be_saved();
  abi::ReplyHeader& r = reply();
  // Everywhere, and not only where a state is looked at: in a program with data races it shows.
  if (request().compare != abi::Compare::nothing && !is_trying()) [[unlikely]] {
    if (due_threads() != 0) return go_on_without_step(first_due());
    if (is_digest_due(r.event_count)) compare_state();
  }
  const bool follows = r.event_count < scheduler.move_count;
  if (!follows && request().then == abi::Then::stop) end_run(Ending::stopped);
  if (due_go_first(follows)) return go_on_without_step(first_due());
  if (!follows && is_any_to_sleep()) [[unlikely]]
    put_to_sleep();
  const abi::WireMove move = follows ? scheduler.schedule[r.event_count] : by_policy();
  if (move.thread < abi::max_threads && is_due(move.thread)) return go_on_without_step(move.thread);
  if (follows) check_fits(move);
  scheduler.stuck =
      move.thread == no_thread || (!follows && reaches_limit(move) && must_not_time_out());
  if (scheduler.stuck) return base_fiber();
  if (is_trying()) return current();
  if (r.event_count >= scheduler.step_limit) [[unlikely]]
    end_endless(fiber(move.thread), "the run takes too many steps: perhaps it never ends");
  if (!follows && is_over(r.event_count)) [[unlikely]] {
    note_left_running(fiber(move.thread));
    end_run(Ending::complete);
  }
  if (!follows && is_held(move.thread)) [[unlikely]]
    end_held();
  if (!follows && request().then == abi::Then::list) end_listing(move);
  if (const unsigned count = choices_to_give_up(move.thread); count != 0) [[unlikely]] {
    wake_all();
    choose_to_give_up(move, count);
    return decide();
  }
  end_election();
  take(move);
  return fiber(move.thread);
}

void switch_to(Fiber& to) {
  Fiber& from = current();
  detail::now.fiber = &to;
  switch_fibers(from, to);
  be_visited();
}

void await_turn() {
  take_turn([]() -> void* {
    Fiber& self = current();
    if (scheduler.dead_values != DeadValues::keep) [[unlikely]]
      end_dead_values(self.entered, stack_of(self.id), scheduler.dead_values);
    Fiber& next = decide();
    if (&next != &self) switch_to(next);
    return stack_to_clear(self.id);
  });
}

unsigned step_pending() {
  HEDDLE_RUNTIME_CHECK(is_running());
  Fiber& self = current();
  const Op& op = self.pending;
  settle(self);
  // It would not fit into an access: the thread is to fault, here, as it would without Heddle.
  if (!is_possible(op.object)) [[unlikely]]
    static_cast<void>(*static_cast<const volatile char*>(op.object));
  HEDDLE_RUNTIME_CHECK(!is_gluing());  // a round that follows another at once takes no step
  if (is_judging()) [[unlikely]]
    fail_judging(Misjudges::synchronises);
  if (is_trying()) return try_step(op);
  if (self.in_atomic != 0) return step_in_block(op);
  if (is_explaining()) note_announced();
  await_turn();
  if (is_explaining()) show_event();
  // The latest event is the one that let this thread continue.
  return last_move().alternative;
}

bool step_unless_due(const Op& op, unsigned& alternative) {
  Fiber& self = current();
  const std::uint32_t taken = self.taken;
  if (is_trying() || self.in_atomic != 0) {
    alternative = step(op);
    return true;
  }
  self.pending = op;
  settle(self);
  if (is_explaining()) note_announced();
  await_turn();
  if (self.taken == taken) return false;
  if (is_explaining()) show_event();
  alternative = last_move().alternative;
  return true;
}

unsigned choose(unsigned n) {
  if (n <= 1) return 0;
  current().effects.count();
  return choose_without_effect(n);
}

unsigned choose_without_effect(unsigned n) {
  HEDDLE_RUNTIME_CHECK(n <= 0xffff);
  if (++current().chosen > most_choices && !is_trying())
    end_endless(current(), "a thread makes more than 1000 choices in a run: perhaps it never ends");
  return step({.kind = OpKind::choose, .alternatives = static_cast<std::uint16_t>(n)});
}

void follow(const abi::RequestHeader& request, const abi::WireMove* moves, std::uint32_t step_limit,
            std::uint32_t save_at) {
  HEDDLE_RUNTIME_CHECK(request.move_count <= abi::max_steps && step_limit <= abi::max_steps);
  scheduler.schedule = moves;
  scheduler.move_count = request.move_count;
  scheduler.step_limit = step_limit;
  scheduler.save_at = save_at;
  scheduler.stuck = false;
  scheduler.dead_values = dead_values_of_run(request.compare != abi::Compare::nothing);
  begin_digests();
  begin_sleep();
}

Errand take_errand() {
  const Errand out = scheduler.errand;
  scheduler.errand = {};
  return out;
}

void answer(bool spinner_goes_on) { scheduler.spinner_goes_on = spinner_goes_on; }

bool is_stuck() { return scheduler.stuck; }

}  // namespace heddle::runtime
