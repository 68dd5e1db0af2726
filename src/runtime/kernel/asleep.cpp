#include "runtime/kernel/asleep.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include "runtime/kernel/operations.hpp"
#include "runtime/kernel/recorder.hpp"
#include "runtime/kernel/thread_sets.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace {

// Of a step that sleeps: most have one or two. Chosen.
constexpr unsigned most_accesses = 8, most_moves = 128;

struct Sleeper {
  abi::WireMove move;
  std::uint32_t count;
  abi::WireAccess accesses[most_accesses];
};

struct Asleep {
  bool to_come;  // the schedule is not over
  unsigned count;
  Sleeper list[most_moves];
};
constinit Asleep asleep{};  // of a run, after its schedule: savepoints do not have it

Mode mode_of(const abi::WireAccess& a) { return static_cast<Mode>(abi::mode_bits(a)); }
bool is_memory(Mode mode) { return mode <= Mode::free; }

// What is compared of an access: its granule, or its object.
std::uint64_t place_of(const abi::WireAccess& a) {
  const std::uint64_t object = a.object & abi::below_mode;
  return is_memory(mode_of(a)) ? object >> abi::mask_bits : object;
}

bool conflict(const abi::WireAccess& a, const abi::WireAccess& b) {
  return is_memory(mode_of(a)) == is_memory(mode_of(b)) && place_of(a) == place_of(b) &&
         !(mode_of(a) == Mode::read && mode_of(b) == Mode::read);
}

bool wakes(const Sleeper& s, std::span<const abi::WireAccess> by) {
  return std::ranges::any_of(std::span(s.accesses, s.count), [&](const abi::WireAccess& own) {
    return std::ranges::any_of(by, [&](const abi::WireAccess& a) { return conflict(own, a); });
  });
}

bool sleeps(unsigned thread, unsigned alternative) {
  return std::ranges::any_of(std::span(asleep.list, asleep.count), [&](const Sleeper& s) {
    return s.move.thread == thread && s.move.alternative == alternative;
  });
}

void put_to_sleep(abi::WireMove move) {
  if (move.thread >= abi::max_threads || asleep.count == most_moves || !can_go(move.thread)) return;
  begin_draft();
  record_accesses(fiber(move.thread).pending, move.thread);
  const std::span<const abi::WireAccess> all = draft_accesses();
  if (all.size() <= most_accesses) {
    Sleeper& s = asleep.list[asleep.count++];
    s.move = move;
    s.count = static_cast<std::uint32_t>(all.size());
    std::ranges::copy(all, s.accesses);
  }
  drop_draft();
}

}  // namespace

void begin_sleep() {
  asleep.count = 0;
  asleep.to_come = request().asleep_count != 0;
}

bool is_any_to_sleep() { return asleep.to_come; }

void put_to_sleep() {
  asleep.to_come = false;
  for (std::uint32_t k = 0; k < request().asleep_count; ++k)
    put_to_sleep(moves()[request().move_count + k]);
}

bool any_asleep() { return asleep.count != 0; }

void wake_by_event(unsigned thread, bool all) {
  if (all) return wake_all();
  const std::span<const abi::WireAccess> by = draft_accesses();
  Sleeper* const end =
      std::remove_if(asleep.list, asleep.list + asleep.count,
                     [&](const Sleeper& s) { return s.move.thread == thread || wakes(s, by); });
  asleep.count = static_cast<unsigned>(end - asleep.list);
}

void wake_all() { asleep.count = 0; }

unsigned alternatives_awake(unsigned thread) {
  const unsigned all = fiber(thread).pending.alternatives;
  if (!any_asleep()) return all;
  unsigned out = 0;
  for (unsigned k = 0; k < all; ++k) out += sleeps(thread, k) ? 0 : 1;
  return out;
}

abi::WireMove nth_awake(unsigned thread, unsigned n) {
  unsigned k = 0;
  for (;; ++k) {
    if (any_asleep() && sleeps(thread, k)) continue;
    if (n-- == 0) break;
  }
  return {static_cast<std::uint16_t>(thread), static_cast<std::uint16_t>(k)};
}

}  // namespace heddle::runtime
