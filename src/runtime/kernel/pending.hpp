// Pending steps, as the engine gets to know them: what threads are blocked in when one of them
// times out, or at the end of a run; and what they could do where a run stops to list that.
#pragma once

#include "runtime/abi/wire.h"

namespace heddle::runtime {

// The pending step of each live thread. REQUIRES: none of them can continue.
[[gnu::noinline]] void record_waiting();

// The run ends here, to list what could come next: `next` would, as either a thread can continue,
// or it is the one that times out.
[[noreturn, gnu::noinline]] void end_looking(abi::WireMove next);

// The thread of the move chooses which one of so many times out.
[[gnu::noinline]] void choose_to_give_up(abi::WireMove move, unsigned count);

}  // namespace heddle::runtime
