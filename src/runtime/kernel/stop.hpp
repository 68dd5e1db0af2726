// How a thread, or the run, stops before its end: findings, what is not supported, bounds,
// divergence.
#pragma once

#include "runtime/abi/wire.h"
#include "runtime/kernel/fiber.hpp"
#include "runtime/kernel/stack.hpp"

namespace heddle::runtime {

// A finding: the current thread stops there, the other threads continue.
[[noreturn]] void fail(abi::Finding kind, const char* message, const Stack* stack = nullptr);
// The program does something that cannot be explored; the run is given up.
[[noreturn]] void unsupported(const char* what);

// There is no room for more of this: the current thread continues no further, or, if it may hold
// locks of the C library, or is in an atomic block, no thread does. The run does not count, and
// what it would have done is not known.
[[noreturn]] void reach_bound(abi::Bound bound);

// The current thread continues no further in this run, as its assumption does not hold.
[[noreturn]] void stop_assuming();

// The run takes longer than it may; this thread would be next. Or a loop of the current thread
// does.
[[noreturn]] void end_endless(const Fiber& next, const char* why);
[[noreturn]] void end_endless();

// The schedule cannot be followed: this is why the thread cannot take its step.
[[noreturn]] void end_diverged(unsigned id, const char* why);

// Returns to where the run was started from.
[[noreturn]] void end_run(abi::Ending ending);

}  // namespace heddle::runtime
