// A file with all states that are compared, part by part, for finding out why two of them differ
// that should be alike. With HEDDLE_STATES=FILE in the environment, a worker writes FILE.PID, which
// tools/states.py reads.
#pragma once

#include <cstdint>

#include "runtime/abi/wire.h"

namespace heddle::runtime {

inline constexpr char states_variable[] = "HEDDLE_STATES";

namespace detail {
struct ToldStates {
  bool known;  // whether they are wanted has been looked up
  bool on;
  int file;
  std::uint64_t part_count;
  char *begin, *end;  // the parts of this state, so far
};
extern ToldStates told_states;
}  // namespace detail

// On the base, before a run.
void begin_telling_states();
inline bool tells_states() { return detail::told_states.on; }

// REQUIRES, for both: tells_states(). A part of what kind, at this address or 0; and the state that
// has these parts, after this number of events, the last of them by this thread.
void tell_part(std::uint64_t kind, const void* address, const void* content, std::uint64_t size);
void tell_state(const abi::WireDigest& digest, std::uint32_t events, unsigned thread);

}  // namespace heddle::runtime
