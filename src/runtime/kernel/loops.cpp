// Hooks of loops that might only wait, see abi.h.
#include <cstring>
#include <iterator>

#include "runtime/kernel/current.hpp"
#include "runtime/kernel/gluing.hpp"
#include "runtime/kernel/idle.hpp"
#include "runtime/kernel/polling.hpp"
#include "runtime/kernel/thread_life.hpp"
#include "runtime/kernel/trial.hpp"
#include "runtime/kernel/updates.hpp"
#include "runtime/sys/export.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace {

using abi::Site;

// Whether this loop, having gone round, may do so again. (If more loops are nested than are
// counted, the innermost may not.)
bool may_go_round(Fiber& self, const Site* loop) {
  Fiber::Rounds& rounds = self.rounds;
  const std::uint64_t effects = self.effects.number(), epoch = self.effects.epoch();
  if (rounds.effects != effects || rounds.epoch != epoch) {
    rounds.effects = effects;
    rounds.epoch = epoch;
    rounds.loops = 0;
  }
  std::uint32_t k = 0;
  while (k < rounds.loops && rounds.sites[k] != loop) ++k;
  if (k == std::size(rounds.sites)) return false;
  if (k == rounds.loops) {
    rounds.sites[k] = loop;
    rounds.counts[k] = 0;
    ++rounds.loops;
  }
  return ++rounds.counts[k] < settings().waiting_rounds;
}

void come_round(std::uint64_t effects, const Site* loop, const void* frame) {
  Fiber& self = current();
  const NextRound next = come_round_in_time(self, effects, loop, frame);
  if (next.when == NextRound::never) stop_spinning(loop, frame);
  if (next.when == NextRound::later) wait_in_loop(loop, frame, next.time);
  begin_round_in_time(self);
}

// In a function whose frame ends there.
void settle_in(Fiber& self, const void* frame) {
  settle(self);
  self.effects.return_to(frame);
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;
using heddle::abi::Site;

// The frame of the function that calls the runtime, which identifies it until it returns.
#define HEDDLE_CALLER __builtin_frame_address(0)

HEDDLE_EXPORT std::uint64_t __heddle_loop(bool enters, const Site* site) {
  if (!is_running()) return 1;
  settle_in(current(), HEDDLE_CALLER);
  if (enters && is_trying()) try_entry(site, HEDDLE_CALLER);
  return current().effects.start_round(site, HEDDLE_CALLER) || enters ? 1 : 0;
}

HEDDLE_EXPORT void __heddle_keep(void* address, std::uint64_t size) {
  if (!is_running()) return;
  Fiber& self = current();
  settle(self);
  note_update(self, address, size, Fiber::Undone::unseen);
}

// So what the last round left there does not count.
HEDDLE_EXPORT void __heddle_forget(void* address, std::uint64_t size) {
  if (!is_running()) return;
  Fiber& self = current();
  settle(self);
  note_update(self, address, size, Fiber::Undone::unseen);
  std::memset(address, 0, size);
}

HEDDLE_EXPORT void __heddle_spin(std::uint64_t same, const Site* site) {
  if (!is_running()) return;
  settle_in(current(), HEDDLE_CALLER);
  const std::uint64_t effects = current().effects.start_of_round(site, HEDDLE_CALLER);
  if (same == 0 || effects == Effects::never) return;
  const bool in_time = current().effects.number() != effects;
  if (in_time && !only_time_passed(current(), effects)) return;
  if (is_trying()) return try_spin(site, HEDDLE_CALLER);
  if (in_time) return come_round(effects, site, HEDDLE_CALLER);
  if (settings().waiting_rounds > 1 && may_go_round(current(), site)) return;
  if (must_go_round(current())) return;
  end_gluing(current());
  stop_spinning(site, HEDDLE_CALLER);
}

HEDDLE_EXPORT std::uint64_t __heddle_round(bool enters, const Site* site) {
  if (!is_running()) return 1;
  Fiber& self = current();
  settle_in(self, HEDDLE_CALLER);
  if (enters && is_trying()) try_entry(site, HEDDLE_CALLER);
  if (!is_gluing()) begin_round(self);
  return self.effects.start_round(site, HEDDLE_CALLER) || enters ? 1 : 0;
}

HEDDLE_EXPORT void __heddle_again(std::uint64_t same, const Site* site) {
  if (!is_running()) return;
  Fiber& self = current();
  settle_in(self, HEDDLE_CALLER);
  const bool unchanged = self.effects.number() == self.effects.start_of_round(site, HEDDLE_CALLER);
  if (same != 0 && unchanged) {
    end_gluing(self);
    if (is_trying()) return try_spin(site, HEDDLE_CALLER);
    return stop_spinning(site, HEDDLE_CALLER);
  }
  if (!is_concurrent() || is_trying() || self.in_atomic != 0 || !unchanged) return;
  if (!is_gluing() && settings().waiting_rounds > 1 && may_go_round(self, site)) return;
  glue(self);
}

HEDDLE_EXPORT void __heddle_left(const Site*) {
  if (is_running()) end_gluing(current());
}
