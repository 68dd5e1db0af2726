// Where threads wait until it is their turn.
//
// All that a thread does later follows from the memory of the program and what the thread has in
// registers and on its stack when it comes here. Below that, its stack has frames of the scheduler,
// with counts of events and addresses that differ from run to run: no part of the state.
#pragma once

#include "runtime/kernel/current.hpp"

namespace heddle::runtime {

// Notes the stack of the current thread in Fiber::entered, with its registers, and calls `take`,
// which returns when it is the thread's turn, and may change the registers there. If that returns
// an address, the stack is cleared from there up to the caller: what is left below shows up in
// frames that come later, and differs from run to run.
void take_turn(void* (*take)());

}  // namespace heddle::runtime
