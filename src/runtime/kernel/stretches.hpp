// What decides on data races, for an engine that compares states: of each event its *stretch*, the
// acts from its step up to the next decision (model/stretch.hpp). With them, races are judged on
// the graph of states, so that states need no clocks.
//
// Promises:
// - Acts are told exactly where clocks change (clocks.cpp) and where the shadow judges an access
//   (shadow.cpp). So the engine and the worker have one notion of what happens before what.
// - Which acts there are, and what they name, depends on the state and on the step, not on what
//   clocks and shadow remember: an act is told even if it changes nothing in this run.
// - Of accesses in a row, those of one thread, place and kind to neighbouring memory are one.
#pragma once

#include <cstdint>

#include "runtime/abi/wire.h"

namespace heddle::runtime {

namespace detail {
// A stretch of this run, by its acts.
struct Slot {
  std::uint32_t run, stretch;
};
// The accesses that were added last, by place and kind: most continue one of them.
inline constexpr std::uint32_t recent_accesses = 1U << 6;

struct Stretches {
  // Of a run. No savepoint lies behind the first act.
  bool telling;
  std::uint32_t from;   // the acts while there are fewer events are not told
  std::uint32_t at;     // how many events there are, for the stretch that is open
  std::uint32_t count;  // of those that are closed
  std::uint32_t used;   // acts
  std::uint32_t begin;  // the first of the stretch that is open
  std::uint32_t row;    // the first of the accesses that are the last acts of it
  std::uint32_t run;    // its number
  // Outlives runs.
  abi::WireStretch* list;
  abi::WireAct* acts;
  Slot* slots;
  std::uint32_t recent[recent_accesses];
};
extern Stretches stretches;
}  // namespace detail
inline bool is_telling() { return detail::stretches.telling; }

// Before a run, as requested. `from_main`: it does not begin at a savepoint.
void begin_stretches(bool from_main);
// Adds all of them to the reply.
void report_stretches();

// What can know of accesses, by a number that is the same in all runs: see clocks.cpp.
using Knower = std::uint64_t;

// `to` now also knows what `from` knows; just that; or nothing.
void tell_add(Knower to, Knower from);
void tell_replace(Knower to, Knower from);
void tell_forget(Knower to);

// An access, as the shadow remembers or compares it; `bits` are AccessBits. REQUIRES: size is not
// 0.
void tell_access(unsigned thread, const void* address, std::uint64_t size, std::uint8_t bits,
                 const abi::Site* where);

}  // namespace heddle::runtime
