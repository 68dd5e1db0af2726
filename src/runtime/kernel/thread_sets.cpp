#include "runtime/kernel/thread_sets.hpp"

#include "runtime/kernel/giving_up.hpp"
#include "runtime/kernel/operations.hpp"
#include "runtime/kernel/waits.hpp"
#include "runtime/sys/check.hpp"

namespace heddle::runtime {

constinit detail::ThreadSets detail::sets{};

using detail::sets;
using Status = Fiber::Status;

void make_due(unsigned id) {
  HEDDLE_RUNTIME_CHECK(is_live(id));
  sets.due |= bit(id);
}
void end_due(unsigned id) { sets.due &= ~bit(id); }
void set_live(unsigned id) { sets.live |= bit(id); }
void end_live(unsigned id) {
  HEDDLE_RUNTIME_CHECK(!is_due(id));
  sets.live &= ~bit(id);
}

bool could_go(unsigned id) { return is_live(id) && is_enabled(fiber(id).pending, id); }

bool can_go(unsigned id) { return could_go(id) && !is_held(id); }

std::uint16_t held_thread() {
  std::uint16_t out = no_thread;
  for_set(live_threads() & threads_with_waits(), [&](unsigned id) {
    if (out == no_thread && could_go(id) && is_held(id)) out = static_cast<std::uint16_t>(id);
  });
  return out;
}

bool has_limit(unsigned id) {
  const Status status = fiber(id).status;
  return fiber(id).pending.timed && (status == Status::live || status == Status::spinning);
}

std::uint64_t limited_threads() {
  std::uint64_t out = 0;
  for_threads([&](const Fiber& f) { out |= has_limit(f.id) ? bit(f.id) : 0; });
  return out;
}

unsigned choices_to_give_up(unsigned id) {
  const bool may = id < abi::max_threads && has_limit(id);
  return may && !could_go(id) ? elects(id, limited_threads()) : 0;
}

bool times_out(abi::WireMove move) {
  return move.alternative == timed_out && fiber(move.thread).pending.timed;
}

bool reaches_limit(abi::WireMove move) {
  return times_out(move) || choices_to_give_up(move.thread) != 0;
}

void clear_thread_sets() { sets = {}; }
void save_thread_sets(Savepoint& into) { into.keep(sets); }

}  // namespace heddle::runtime
