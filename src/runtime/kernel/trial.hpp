// Trials: whether a thread that was stopped in a loop would leave it now (trying.hpp).
#pragma once

#include <cstdint>

#include "runtime/abi/abi.h"
#include "runtime/kernel/fiber.hpp"
#include "runtime/kernel/op.hpp"

namespace heddle::runtime {

// Before the first trial: these threads are live, and none of them can continue.
void begin_trials(std::uint64_t live);

// Whether it was stopped in a loop, and does not wait for time to pass: a thread that looks at the
// clock continues then, and no other thread does because of that.
bool is_stopped(const Fiber& f);

// From the base, after begin_trials: whether the thread would continue. Changes its stack and what
// it writes: for the end of a run.
bool would_continue(Fiber& f);

// Whether some thread that was stopped in a loop would continue now, where these threads cannot.
// Leaves everything as it is. REQUIRES: on the base fiber.
bool would_spinner_continue(std::uint64_t live);

// To be called by a thread that is tried, when it takes a step; comes round to the end of a loop
// again, nothing having happened; enters a loop. `frame` says where on the stack: it is the loop
// that the thread was stopped in only if the frame is the same.
unsigned try_step(const Op& op);
void try_spin(const abi::Site* loop, const void* frame);
void try_entry(const abi::Site* loop, const void* frame);

}  // namespace heddle::runtime
