// What a thread is asked to do out of turn, on its own stack.
#pragma once

namespace heddle::runtime {

// To be called whenever a fiber has been entered.
void be_visited();
// Runs f once on the stack of each other thread that is live or spins.
void visit_other_threads(void (*f)());

}  // namespace heddle::runtime
