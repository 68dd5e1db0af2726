// All that a run changes, in the program and in the runtime: to how it was when main began, and
// kept as it is in the middle of a run. What a part of the runtime remembers of a run has to be in
// both.
#pragma once

#include "runtime/savepoint.hpp"

namespace heddle::runtime {

void reset_state();

// See SaveState. No fiber may be running.
bool save_state(Savepoint& into);
// The same but for the reply and what the system has: for a moment that records nothing, and that
// ends before the program can ask the system for anything.
bool save_state_for_trial(Savepoint& into);

}  // namespace heddle::runtime
