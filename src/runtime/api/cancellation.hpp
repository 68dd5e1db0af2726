// Cancellation of threads (pthread_cancel), where they come to a cancellation point.
//
// That a thread may be cancelled is learned, like other uses of what threads share (hidden.hpp):
// until then, cancellation points cost nothing. From then on, the thread checks at each of them
// whether it has been cancelled, which is a step that depends on the cancellation.
//
// A wait that is a cancellation point ends in one of two ways, which is a choice, made before it
// begins: because of what it waits for, and then no thread may cancel this one before that; or
// because the thread is cancelled, and then that is all it waits for.
#pragma once

#include "runtime/kernel/time_limit.hpp"

namespace heddle::runtime {

// A cancellation point that does not wait.
void cancellation_point();

// A wait begins. True: it is one that a cancellation ends. Then the thread has to release what
// other threads can acquire while it waits, await the cancellation, acquire it again, and be
// cancelled.
bool is_wait_cancelled(TimeLimit limit = {});
void await_cancellation(TimeLimit limit = {});
[[noreturn]] void be_cancelled();
// A wait of the other kind is over.
void end_wait();

// Whether a thread waits that has been cancelled, and would not have continued to wait: then the
// run is not a run of the program.
bool is_cancellation_ignored();

}  // namespace heddle::runtime
