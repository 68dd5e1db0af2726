// Coroutines: whether one is suspended is state that the thread that resumes it changes.
#pragma once

#include "pass/hooks.hpp"
#include "pass/sites.hpp"

namespace heddle::pass {

// To suspend a coroutine, and to resume or to destroy it, writes the beginning of its frame;
// to ask whether it is done reads that. So two threads that resume the same one race, even if it
// has no variables. To be called when all else in the function has its hooks.
void instrument_suspensions(llvm::Function& f, const Hooks& hooks, Sites& sites);

}  // namespace heddle::pass
