#include "runtime/kernel/trial.hpp"

#include "runtime/kernel/condition.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/hooks.hpp"
#include "runtime/kernel/mailboxes.hpp"
#include "runtime/kernel/operations.hpp"
#include "runtime/kernel/savepoint.hpp"
#include "runtime/kernel/trying.hpp"

namespace heddle::runtime {
namespace {

using Status = Fiber::Status;
using abi::Role;

// A trial of more steps is taken to leave the loop, as if the thread did something. Far more than a
// round of a waiting loop has, and still done in a moment: how it was chosen, not a bound that is
// derived.
constexpr unsigned max_steps = 100'000;

struct Trials {
  unsigned steps;
  bool gave_lock;
  bool may_lend;          // Trial::lends is of interest
  std::uint64_t blocked;  // threads that could not continue when all were stuck
  bool some_continues;    // of all that were tried, some thread would leave its loop
};
constinit Trials trials{};

bool would_leave_loop(Fiber& f) {
  trials.steps = 0;
  trials.gave_lock = trials.may_lend = false;
  return try_thread(f) == Trial::goes_on;
}

void try_spinners() {
  trials.some_continues = false;
  for_threads([](Fiber& f) {
    trials.some_continues = trials.some_continues || (is_stopped(f) && would_continue(f));
  });
}

bool is_any_free() {
  for (std::uint64_t rest = trials.blocked; rest != 0; rest &= rest - 1) {
    const auto id = static_cast<unsigned>(__builtin_ctzll(rest));
    if (is_enabled(fiber(id).pending, id)) return true;
  }
  return false;
}

bool is_stopped_in(const abi::Site* loop, const void* frame) {
  return loop == current().loop && frame == current().loop_frame;
}

// Whether a step of a thread that is tried changes nothing that other threads could see.
bool is_harmless(const Op& op, Role role) {
  if (op.kind == OpKind::try_receive) return mailbox_of(current().id).found == nullptr;
  if (role == Role::signal) return !condition_at(op.object, op.group).is_awaited();
  return role == Role::read || role == Role::lock || role == Role::unlock;
}

}  // namespace

void begin_trials(std::uint64_t live) { trials.blocked = live; }

bool is_stopped(const Fiber& f) { return f.status == Status::spinning && !f.pending.timed; }

// A round may release a lock for a while: that can be all that the loops of other threads need.
bool would_continue(Fiber& f) {
  unsigned steps = 0;
  for (bool gave = false;;) {
    trials.steps = steps;
    trials.gave_lock = gave;
    trials.may_lend = true;
    if (const Trial seen = try_thread(f); seen != Trial::lends) return seen == Trial::goes_on;
    steps = trials.steps;
    gave = trials.gave_lock;
    bool another = false;
    for_threads([&](Fiber& other) {
      if (&other != &f && other.status == Status::spinning)
        another = another || would_leave_loop(other);
    });
    if (another) return true;
  }
}

// Where there is no room to keep everything, the answer is no: then a time limit may be reached
// earlier than as a last resort, which can happen in reality, too.
bool would_spinner_continue(std::uint64_t live) {
  begin_trials(live);
  return do_and_undo(hooks().save_for_trial, try_spinners) && trials.some_continues;
}

unsigned try_step(const Op& op) {
  const Role role = abi::row_of(op.kind).role;
  if (++trials.steps > max_steps || !is_harmless(op, role) || is_any_free())
    stop_trying(Trial::goes_on);
  if (role == Role::unlock)
    trials.gave_lock = true;
  else if (trials.may_lend && trials.gave_lock && role != Role::read)
    stop_trying(Trial::lends);
  while (!is_enabled(op, current().id)) stop_trying(Trial::waits);
  return 0;
}

void try_spin(const abi::Site* loop, const void* frame) {
  if (++trials.steps > max_steps || is_any_free()) stop_trying(Trial::goes_on);
  if (is_stopped_in(loop, frame)) stop_trying(Trial::waits);
}

// It had left the loop in between.
void try_entry(const abi::Site* loop, const void* frame) {
  if (is_stopped_in(loop, frame)) stop_trying(Trial::goes_on);
}

}  // namespace heddle::runtime
