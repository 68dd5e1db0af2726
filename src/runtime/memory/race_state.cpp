#include "runtime/memory/race_state.hpp"

#include <algorithm>

#include "runtime/kernel/clocks.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/memory/shadow.hpp"

namespace heddle::runtime {
namespace {

using Of = StateHash::Of;

// The ticks of a thread at which it made accesses that matter: the rank of a tick is how many of
// these it is not before. More of them than are kept apart become one, so that ranks differ less
// than they should; then ticks themselves count.
constexpr unsigned most_ticks = 256;

struct RaceState {
  StateHash* into;
  std::uint32_t known_to_all[abi::max_threads];  // the latest tick that all others know
  unsigned counts[abi::max_threads];
  std::uint32_t ticks[abi::max_threads][most_ticks];  // sorted
};
constinit RaceState races{};  // of one digest

bool matters(const Remembered& r) { return r.tick > races.known_to_all[r.thread]; }

void find_known_to_all() {
  std::fill_n(races.counts, abi::max_threads, 0U);
  std::fill_n(races.known_to_all, abi::max_threads, ~0U);
  for_threads([](const Fiber& f) {
    if (f.status != Fiber::Status::live && f.status != Fiber::Status::spinning) return;
    const Clock& now = clock_of(f.id).now;
    for_threads([&](const Fiber& other) {
      std::uint32_t& known = races.known_to_all[other.id];
      if (&other != &f) known = std::min(known, now[other.id]);
    });
  });
}

void note_tick(void*, const Remembered& r) {
  if (!matters(r)) return;
  std::uint32_t* const begin = races.ticks[r.thread];
  unsigned& count = races.counts[r.thread];
  std::uint32_t* const at = std::lower_bound(begin, begin + count, r.tick);
  if ((at != begin + count && *at == r.tick) || count > most_ticks) return;
  if (count++ == most_ticks) return;  // too many
  std::copy_backward(at, begin + count - 1, begin + count);
  *at = r.tick;
}

std::uint32_t rank_of(unsigned thread, std::uint32_t tick) {
  const unsigned count = races.counts[thread];
  if (count > most_ticks) return tick;
  const std::uint32_t* const begin = races.ticks[thread];
  return static_cast<std::uint32_t>(std::upper_bound(begin, begin + count, tick) - begin);
}

void add_record(void*, const Remembered& r) {
  if (!matters(r)) return;
  races.into->add_words(Of::record, r.granule, r.thread, r.mask, r.bits, rank_of(r.thread, r.tick));
}

// Each thread knows what it did itself.
void add_clock(void*, const ClockName& name, const Clock& clock) {
  for (unsigned id = 0; id < clock.size; ++id) {
    if (races.counts[id] == 0 || (name[0] == 0 && name[1] == id)) continue;
    if (const std::uint32_t rank = rank_of(id, clock[id]); rank != 0)
      races.into->add_words(Of::clock, name[0], name[1], name[2], id, rank);
  }
}

}  // namespace

void digest_race_state(StateHash& into) {
  races.into = &into;
  find_known_to_all();
  for_remembered(note_tick, nullptr);
  for_remembered(add_record, nullptr);
  for_clocks(add_clock, nullptr);
}

}  // namespace heddle::runtime
