#include "runtime/kernel/thread_digest.hpp"

#include <immintrin.h>

#include "runtime/kernel/current.hpp"
#include "runtime/kernel/gluing.hpp"
#include "runtime/kernel/idle.hpp"
#include "runtime/kernel/polling.hpp"
#include "runtime/kernel/thread_storage.hpp"
#include "runtime/kernel/waits.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace {

using Of = StateHash::Of;
using Status = Fiber::Status;

// Whether the thread takes more steps, or may: one that was stopped in a loop is tried.
bool can_continue(const Fiber& f) {
  return f.status == Status::live || f.status == Status::spinning;
}

// Other threads may use variables on its stack, and thread-local ones. (Those of a thread that has
// ended are gone; but not those of the first.)
bool has_memory(const Fiber& f) { return f.status != Status::ended || f.id == 0; }

void digest_pending(const Fiber& f, StateHash& into) {
  const Op& op = f.pending;
  const unsigned flags = (op.timed ? 1U : 0) | (op.limited ? 2U : 0) | (op.told ? 4U : 0) |
                         (op.ordered ? 8U : 0) | (op.plain ? 16U : 0);
  into.add_words(Of::pending, f.id, op.kind, flags, op.group, op.alternatives, op.object, op.second,
                 op.size, op.value, op.deadline, f.site);
}

// What others may ask for. (Which thread waits for the end of one that has ended no longer matters:
// whether one had to wait depends on when it ran on.)
void digest_life(const Fiber& f, StateHash& into) {
  const unsigned flags = (f.detached ? 1U : 0) | (f.joined ? 2U : 0) | (f.woke_spuriously ? 4U : 0);
  const unsigned awaited_by = f.status == Status::ended ? 0 : f.awaited_by;
  const Fiber::Cancel& c = f.cancel;
  const unsigned cancelled = (c.asked ? 1U : 0) | (c.begun ? 2U : 0) | (c.unexpected ? 4U : 0) |
                             (c.disabled ? 8U : 0) | (c.asynchronous ? 16U : 0);
  into.add_words(Of::thread, f.id, f.status, f.result, f.created, f.has_joined, awaited_by, flags,
                 cancelled, c.tokens.value, c.tokens.initial, c.tokens.incarnation, c.tokens.mark,
                 f.bound, f.chosen, f.choices, f.created_at, f.touched.begin, f.touched.end);
  into.add_words(Of::thread, f.id, f.generation.arrivals, f.generation.lookers, f.generation.serial,
                 f.generation.complete, f.in_atomic, f.private_arguments, f.cleanup,
                 f.signal_stack.ss_sp, f.signal_stack.ss_flags, f.signal_stack.ss_size);
  if (settings().wait_count != 0) into.add_words(Of::thread, f.id, steps_that_count(f.id, f.taken));
  if (f.updated != nullptr)
    into.add_words(Of::change, f.id, f.updated, f.updated_from[0], f.updated_from[1],
                   f.updated_size, f.update_undone);
}

// Of an earlier epoch, they would begin anew.
void digest_rounds(const Fiber& f, StateHash& into) {
  const Fiber::Rounds& r = f.rounds;
  if (r.empty() || r.epoch != f.effects.epoch()) return;
  into.add_words(Of::rounds, f.id, r.loops, r.effects - f.effects.number());
  for (std::uint32_t k = 0; k < r.loops; ++k)
    into.add_words(Of::rounds, f.id, k, r.sites[k], r.counts[k]);
}

void digest_loops(const Fiber& f, StateHash& into) {
  f.effects.digest(f.id, f.idle.times_seen, into);
  if (f.status == Status::spinning) into.add_words(Of::effects, f.id, f.loop, f.loop_frame);
  digest_rounds(f, into);
  digest_round(f, into);
  digest_idle(f, into);
  if (f.polling.empty()) return;
  into.add(f.polling);
  into.add_words(Of::polling, f.id, f.effects.counted(), f.effects.time(), done_by_all());
}

// Those of the processor are where the current thread has its own.
std::uint32_t sse_control_of(const Fiber& f) {
  return &f == &current() ? _mm_getcsr() : f.sse_control;
}

void digest_stack(const Fiber& f, StateHash& into) {
  const auto* const top = stack_of(f.id).end;
  const auto* const from = reinterpret_cast<const char*>(f.entered);
  into.add(from, static_cast<std::uint64_t>(top - from));
  if (!can_continue(f)) return;
  const auto r = [&](unsigned k) { return f.entered_register(k); };
  into.add_words(Of::registers, f.id, from, r(0), r(1), r(2), r(3), r(4), r(5), sse_control_of(f));
}

}  // namespace

void digest_threads(StateHash& into) {
  Savepoint hashing(into);
  for_threads([&](const Fiber& f) {
    digest_life(f, into);
    if (can_continue(f)) {
      digest_pending(f, into);
      digest_loops(f, into);
    }
    if (!has_memory(f)) return;
    digest_stack(f, into);
    save_thread_storage(f.fs_base, hashing);
  });
  into.add_words(Of::thread, ~0U, detail::now.concurrent);
}

}  // namespace heddle::runtime
