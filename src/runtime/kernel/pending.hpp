// Pending steps, as the engine learns them: what threads are blocked in when one of them times out,
// or at the end of a run; and what they could do where a run stops to list that.
#pragma once

#include "runtime/abi/wire.h"

namespace heddle::runtime {

// The pending step of each live thread that is not held back by the cube. REQUIRES: none of them
// can continue.
[[gnu::noinline]] void record_waiting();

// The run ends here, to list what could come next. `next` is the move that would: of a thread that
// can continue or, if there is none, of the one that times out.
[[noreturn, gnu::noinline]] void end_listing(abi::WireMove next);

// The run ends here, as a wait of the cube holds back what would come next. REQUIRES: no thread can
// continue.
[[noreturn, gnu::noinline]] void end_held();

// The run ends here, as all that could come next sleeps (asleep.hpp).
[[noreturn, gnu::noinline]] void end_asleep();

// The thread of the move chooses which one of `count` threads times out.
[[gnu::noinline]] void choose_to_give_up(abi::WireMove move, unsigned count);

}  // namespace heddle::runtime
