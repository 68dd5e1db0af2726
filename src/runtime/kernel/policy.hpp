// Which thread continues where the schedule says nothing: after its end.
#pragma once

#include "runtime/abi/wire.h"
#include "runtime/kernel/savepoint.hpp"

namespace heddle::runtime {

// The next move, if the schedule has none; its thread is `no_thread` if no thread can continue, not
// even by timing out; and that of a thread that is held back by the cube (waits.hpp) if no other
// can, or if it is the one that would time out. It depends on nothing but the events so far and the
// request's seed: so it is the same in all runs that begin alike.
abi::WireMove by_policy();

// This thread took the last step.
void note_move(unsigned thread);
// The current thread would rather have other threads continue.
void prefer_others();

// Random numbers begin anew with this seed.
void seed_policy(std::uint64_t seed);

void clear_policy();
void save_policy(Savepoint& into);

}  // namespace heddle::runtime
