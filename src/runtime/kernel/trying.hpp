// A thread that was stopped in a loop is tried once more, when no other thread can continue, to see
// whether it would leave the loop now. What it does meanwhile is not recorded, and is undone. This
// is what ends such a trial; what judges it is in trial.hpp.
#pragma once

#include <cstdint>

#include "runtime/kernel/fiber.hpp"

namespace heddle::runtime {

// What a thread that is tried was seen to do.
enum class Trial : std::uint8_t {
  goes_on,  // it leaves its loop, or does something, or lets another thread continue
  waits,    // it comes round again, or cannot take its step
  lends,    // nothing yet, but it is about to acquire a lock after having released one
};

// From the base: lets the thread continue from where it is, until it does one of these.
Trial try_thread(Fiber& f);

// Called by the thread that is tried: this is what it does. Returns if it is tried further.
void stop_trying(Trial seen);

// It did something that other threads can see, or is about to call what could.
void try_effect();

}  // namespace heddle::runtime
