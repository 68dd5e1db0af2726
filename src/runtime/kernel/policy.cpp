// The policy has to bring each run to its end, and soon: most of a run comes after the end of its
// schedule.
//
// By default the thread that took the last step goes first, as a switch costs more than a step, and
// as runs with few switches are easier to read. If it cannot, or yields, the next in the order of
// numbers does. That alone would let a thread that polls keep out the one it polls for: so every
// `look_around_every` events the policy checks whether a thread that could continue has not moved
// for `patience` events, and the one that has waited longest goes first. Patience is long compared
// with the few events of a round of a polling loop, so that other loops are not torn apart, and
// short compared with the number of steps that a run may take. A check costs about as much as an
// event; half of the patience is the longest interval that keeps the delay below twice the
// patience.
//
// With a seed, all threads that can continue, and all of their alternatives, are equally likely,
// but for those that sleep. Where states are compared and the seed is even, that holds only where
// the thread that took the last step cannot continue, or yields, and no thread creates another: a
// thread that is torn apart, and one that is created while others run, make states that no order of
// conflicting steps needs.
#include "runtime/kernel/policy.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "runtime/kernel/asleep.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/giving_up.hpp"
#include "runtime/kernel/pending.hpp"
#include "runtime/kernel/thread_sets.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace {

struct Policy {
  // Of a run.
  unsigned mover = 0;                  // the thread that took the last step
  std::uint16_t yielding = no_thread;  // the thread that prefers other threads, since that step
  // Seeded before each.
  Random randomness{1};
};
Policy policy;

constexpr std::uint32_t patience = 64, look_around_every = patience / 2;

abi::WireMove plain_move(unsigned id) { return {static_cast<std::uint16_t>(id), 0}; }

// No thread can continue. A time limit is the last resort, so none is reached while a thread only
// waits for the cube: then the move is that thread's, and the run is held there.
[[gnu::noinline]] abi::WireMove last_resort() {
  const std::uint16_t held = held_thread();
  return held != no_thread ? plain_move(held) : next_to_give_up(limited_threads());
}

bool is_steady() { return request().compare != abi::Compare::nothing && request().seed % 2 == 0; }

struct Able {
  unsigned list[abi::max_threads];
  unsigned count = 0;
};

bool is_among(const Able& able, unsigned id) {
  return std::find(able.list, able.list + able.count, id) != able.list + able.count;
}

// The thread that could have continued for longest, if that is at least `patience` events.
[[gnu::noinline]] std::uint16_t overdue(std::uint32_t now) {
  std::uint16_t out = no_thread;
  std::uint32_t oldest = now - patience + 1;
  for_set(live_threads(), [&](unsigned id) {
    if (fiber(id).moved_at >= oldest || !(is_due(id) || can_go(id))) return;
    out = static_cast<std::uint16_t>(id);
    oldest = fiber(id).moved_at;
  });
  return out;
}
std::uint16_t overdue_now() {
  const std::uint32_t now = reply().event_count;
  return now % look_around_every == 0 && now >= patience ? overdue(now) : no_thread;
}

unsigned steadily(const Able& able) {
  if (const std::uint16_t id = overdue_now(); id != no_thread && is_among(able, id)) return id;
  for (unsigned k = 0; k < able.count; ++k)
    if (fiber(able.list[k]).pending.kind == OpKind::create) return able.list[k];
  if (policy.yielding == no_thread && is_among(able, policy.mover)) return policy.mover;
  return able.list[policy.randomness.below(able.count)];
}

[[gnu::noinline]] abi::WireMove at_random() {
  Able able;
  bool sleeps = false;
  for_set(live_threads(), [&](unsigned id) {
    if (!can_go(id)) return;
    const bool awake = alternatives_awake(id) != 0;
    if (awake) able.list[able.count++] = id;
    sleeps = sleeps || !awake;
  });
  if (able.count == 0 && sleeps) end_asleep();
  if (able.count == 0) return last_resort();
  const unsigned id = is_steady() ? steadily(able) : able.list[policy.randomness.below(able.count)];
  const unsigned alternatives = alternatives_awake(id);
  return nth_awake(
      id, alternatives > 1 ? static_cast<unsigned>(policy.randomness.below(alternatives)) : 0);
}

}  // namespace

abi::WireMove by_policy() {
  if (request().seed != 0) return at_random();
  if (const std::uint16_t id = overdue_now(); id != no_thread) [[unlikely]]
    return plain_move(id);
  const bool yields = policy.yielding != no_thread;
  if (!yields && (is_due(policy.mover) || can_go(policy.mover))) return plain_move(policy.mover);
  const std::uint64_t above = yields ? live_threads() & ~(2 * bit(policy.yielding) - 1) : 0;
  for (const std::uint64_t part : {above, live_threads() & ~above})
    for (std::uint64_t rest = part; rest != 0; rest &= rest - 1) {
      const auto id = static_cast<unsigned>(__builtin_ctzll(rest));
      if (is_due(id) || can_go(id)) return plain_move(id);
    }
  return last_resort();
}

void note_move(unsigned thread) {
  policy.mover = thread;
  policy.yielding = no_thread;
}

void prefer_others() { policy.yielding = static_cast<std::uint16_t>(current().id); }

void seed_policy(std::uint64_t seed) { policy.randomness = Random(seed); }

void clear_policy() { note_move(0); }

void save_policy(Savepoint& into) {
  into.keep(policy.mover);
  into.keep(policy.yielding);
}

}  // namespace heddle::runtime
