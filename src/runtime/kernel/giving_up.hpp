// Which time limit is reached, when no thread can continue otherwise: the one that ends first. If
// those of several threads end at the same time, any of these threads may be the first to continue.
// Then the one with the lowest number chooses, by a step of its own, before the chosen one times
// out.
#pragma once

#include <cstdint>

#include "runtime/abi/wire.h"
#include "runtime/kernel/savepoint.hpp"

namespace heddle::runtime {

inline constexpr std::uint16_t no_thread = 0xffff;
static_assert(no_thread >= abi::max_threads);
inline constexpr std::uint16_t timed_out = 1;  // the alternative of a step that times out

// The next move, if none of the live threads can continue; its thread is `no_thread` if none has a
// limit.
abi::WireMove next_to_give_up(std::uint64_t live);

// How many threads this thread, which is blocked, has to choose from; 0 if it is not to choose.
unsigned elects(unsigned id, std::uint64_t live);
void elect(abi::WireMove move, std::uint64_t live);
// A thread has continued.
void end_election();

void save_election(Savepoint& into);

}  // namespace heddle::runtime
