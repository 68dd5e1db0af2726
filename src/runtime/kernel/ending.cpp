// What becomes of a run when no thread can continue.
//
// The problem. There are many reasons: all threads have ended; some are blocked, by each other or
// by something that never comes; some were stopped in loops that only wait; an assumption stopped
// one; the process has exited, and other threads are left. Which one it is decides whether the run
// is an execution, is given up, or has a finding. All runs of one Mazurkiewicz trace have to end
// alike.
//
// The policy (judge_stuck), in this order:
// 1. A finding that was made before stands: all else may follow from it.
// 2. A run that is not a run of the program, or does not count, is given up: a bound was reached,
//    an assumption failed, a thread waits with a limit that is assumed never to expire, or although
//    it was cancelled, or a thread that was stopped in a loop would leave it now. (In another run
//    that one comes to the loop later.)
// 3. Threads that wait for each other's locks (locked_up) are in a deadlock, whatever other threads
//    do. After an exit these are the only ones: the rest may have been left waiting on purpose.
// 4. If all threads have ended, or the process has exited, the run is complete.
// 5. Otherwise it is a deadlock, or a livelock if a thread waits in a loop.
//
// Entry points: judge_stuck, once, at the end of a run that is stuck (run.cpp); note_exit, when a
// thread ends the process; is_over, before each step after that; locked_up, also before a thread
// times out.
//
// What may not be done here: take steps, as the run is over; or look at the order in which threads
// came to where they are. judge_stuck runs on the base fiber, and tries threads, which changes
// their stacks and memory: it may be called only where the state is reset or rewound afterwards.
#include "runtime/kernel/ending.hpp"

#include <cstdio>

#include "runtime/kernel/current.hpp"
#include "runtime/kernel/explain.hpp"
#include "runtime/kernel/findings.hpp"
#include "runtime/kernel/hooks.hpp"
#include "runtime/kernel/mailboxes.hpp"
#include "runtime/kernel/operations.hpp"
#include "runtime/kernel/text.hpp"
#include "runtime/kernel/trial.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {

namespace {

using Status = Fiber::Status;
using abi::Ending;
using abi::Finding;

struct ProcessEnd {
  bool exited;  // threads that are blocked then may have been left blocked on purpose
};
constinit ProcessEnd ending{};  // of a run

// The number of events of a run at which threads that are left when the process ends are stopped
// (--main-exit): they may never end. Long compared with what threads of real programs still do
// then; where they are to be stopped, a tenth. Chosen, not measured.
constexpr std::uint32_t steps_after_exit = 1000, steps_after_kill = 100;

// The thread to name: one that waits for the end of another is not to blame.
const Fiber* first_to_name(std::uint64_t live) {
  const Fiber* first = nullptr;
  for (std::uint64_t rest = live; rest != 0; rest &= rest - 1) {
    const Fiber& f = fiber(static_cast<unsigned>(__builtin_ctzll(rest)));
    if (first == nullptr || (first->pending.kind == OpKind::join && f.pending.kind != OpKind::join))
      first = &f;
  }
  return first;
}

void describe_blocked(std::uint64_t live, Text& text) {
  for (std::uint64_t rest = live; rest != 0; rest &= rest - 1) {
    const Fiber& f = fiber(static_cast<unsigned>(__builtin_ctzll(rest)));
    text.add("%sthread %u is blocked %s", text.empty() ? "" : "; ", f.id,
             f.pending.timed ? "again and again, with a time limit, " : "");
    describe_of(f, text);
  }
}

void note_livelock(std::uint64_t live) {
  Text text;
  const Fiber* first = nullptr;
  for_threads([&](const Fiber& f) {
    if (f.status != Status::spinning) return;
    if (first == nullptr) first = &f;
    text.add("%sthread %u waits for ever in the loop at %s:%u", text.empty() ? "" : "; ", f.id,
             f.loop->file, f.loop->line);
    if (f.site != nullptr && f.site->line != f.loop->line)
      text.add(" (it last looked at %s:%u)", f.site->file, f.site->line);
  });
  describe_blocked(live, text);
  note_finding_of(*first, Finding::livelock, text.c_str(), first->loop);
}

unsigned count(Status status) {
  unsigned n = 0;
  for_threads([&](const Fiber& f) { n += f.status == status ? 1 : 0; });
  return n;
}

// What a run that is over has left.
void note_remains() {
  for_threads([](const Fiber& f) {
    if (f.id != 0 && f.status == Status::ended && !f.joined && !f.detached)
      reply().never_joined = reinterpret_cast<std::uint64_t>(f.created_at);
  });
  reply().unreceived_at = reinterpret_cast<std::uint64_t>(never_received());
  reply().leaked_at = reinterpret_cast<std::uint64_t>(hooks().find_leak());
}

// The run is not a run of the program, or not one of those that count.
bool is_given_up(std::uint64_t live) {
  for_threads([](const Fiber& f) {
    if (f.bound != abi::Bound::none) note_bound(f);
  });
  for_threads([](const Fiber& f) {
    if (f.status == Status::assuming) note_held(abi::Held::assumption, f.site);
  });
  for (std::uint64_t rest = live; rest != 0; rest &= rest - 1) {
    const Fiber& f = fiber(static_cast<unsigned>(__builtin_ctzll(rest)));
    if (f.pending.limited) note_held(abi::Held::time_limit, f.site);
  }
  if (hooks().is_cancellation_ignored()) note_held(abi::Held::assumption, nullptr);
  begin_trials(live);
  for_threads([&](Fiber& f) {
    if (reply().held != abi::Held::nowhere || !is_stopped(f) || !would_continue(f)) return;
    note_held(abi::Held::loop, f.loop);
    note(abi::note_spin);
  });
  return reply().held != abi::Held::nowhere;
}

bool is_any_limited(std::uint64_t live) {
  bool any = false;
  for_threads([&](const Fiber& f) { any = any || ((live >> f.id & 1) != 0 && f.pending.timed); });
  return any;
}

Ending end_in_deadlock(std::uint64_t threads) {
  Text text;
  describe_blocked(threads, text);
  const Fiber& first = *first_to_name(threads);
  note_finding_of(first, Finding::deadlock, text.c_str(), first.site);
  return Ending::deadlock;
}

void note_left_blocked(std::uint64_t live) {
  for_threads([&](const Fiber& f) {
    const bool spins = f.status == Status::spinning;
    if (reply().left_blocked != 0 || ((live >> f.id & 1) == 0 && !spins)) return;
    reply().left_blocked = f.id + 1;
    reply().left_blocked_at = reinterpret_cast<std::uint64_t>(site_of(spins ? f.loop : f.site));
  });
}

}  // namespace

void clear_ending() { ending.exited = false; }
void save_ending(Savepoint& into) { into.keep(ending.exited); }
// How much is left of the run depends on its length, see is_over.
void digest_ending(StateHash& into) {
  if (ending.exited) into.add_words(StateHash::Of::exit, reply().event_count);
}

void note_exit(int status, std::uint64_t live) {
  if (status != 0) {
    char text[64];
    std::snprintf(text, sizeof text, "the program exits with status %d", status);
    note_finding(Finding::exit, text, current().site);
  }
  if (live != 0) note(abi::note_main_returned);
  ending.exited = true;
}

std::uint64_t locked_up(std::uint64_t waiting) {
  std::uint64_t out = waiting;
  for (std::uint64_t before = 0; before != out;) {
    before = out;
    for (std::uint64_t rest = before; rest != 0; rest &= rest - 1) {
      const auto id = static_cast<unsigned>(__builtin_ctzll(rest));
      const Op& op = fiber(id).pending;
      bool hopeless = false;
      for (std::uint64_t by = op.timed ? 0 : held_up_by(op); by != 0; by &= by - 1) {
        const auto holder = static_cast<unsigned>(__builtin_ctzll(by));
        hopeless = hopeless || (out >> holder & 1) != 0 || fiber(holder).status == Status::ended;
      }
      if (!hopeless) out &= ~(std::uint64_t{1} << id);
    }
  }
  return out;
}

bool is_over(std::uint32_t events) {
  return ending.exited &&
         events >= (settings().kill_at_exit != 0 ? steps_after_kill : steps_after_exit);
}

void note_left_running(const Fiber& f) {
  note(abi::note_left_running);
  reply().left_blocked = f.id + 1;
  reply().left_blocked_at = reinterpret_cast<std::uint64_t>(site_of(f.site));
}

Ending judge_stuck(std::uint64_t live) {
  if (has_finding()) return Ending::complete;
  if (is_given_up(live)) return Ending::assumed;
  const bool spins = count(Status::spinning) != 0;
  if (ending.exited) {
    // The other threads may have been left waiting on purpose.
    const std::uint64_t locked = locked_up(live);
    if (locked != 0) return end_in_deadlock(locked);
    note_left_blocked(live);
  }
  if (ending.exited || (live == 0 && !spins)) {
    note_remains();
    return Ending::complete;
  }
  const std::uint64_t locked = locked_up(live);
  if (locked != 0 && is_any_limited(live)) return end_in_deadlock(locked);
  if (!spins) return end_in_deadlock(live);
  note_livelock(live);
  return Ending::deadlock;
}

}  // namespace heddle::runtime
