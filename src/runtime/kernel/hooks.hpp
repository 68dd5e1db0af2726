// What the kernel calls in sub-layers above it. The worker sets all of them before the first run
// (worker/parts.cpp). None is on the path of a step or of an access.
#pragma once

#include <cstdint>

#include "runtime/abi/abi.h"
#include "runtime/kernel/fiber.hpp"
#include "runtime/kernel/savepoint.hpp"

namespace heddle::runtime {

struct Hooks {
  // All that a run changes (worker/parts.cpp): reset to how it was when main began; kept as it is
  // now, or only for a trial, false if that is not possible; added to the reply.
  void (*reset)();
  SaveState save, save_for_trial;
  // What stands for the state of the program now; zeros if a part of it is in the system.
  abi::WireDigest (*digest)();
  void (*report)();
  // A new thread gets its initial state: an empty arena, no values of keys, ...
  void (*begin_thread)(unsigned id);
  // The current thread continues no further in this run; another one does.
  void (*leave_thread)(Fiber::Status status);
  // The current thread ends by itself: runs its destructors, and ends the life of its memory.
  void (*end_thread)();
  // The last thread has ended: a thread may have to be brought back to exit the process.
  void (*exit_after_last)();
  // Whether a thread waits that has been cancelled, and would not have continued to wait: then the
  // run is not a run of the program.
  bool (*is_cancellation_ignored)();
  // Where a block was allocated that nothing points to at the end of the run; null if there is
  // none.
  const abi::Site* (*find_leak)();
  // A function that uses what is at this address, if it is state of the C library; otherwise null.
  const char* (*user_of_state)(std::uint64_t address);
};

// REQUIRES: set_hooks has been called, which is so whenever is_running().
const Hooks& hooks();
void set_hooks(const Hooks& all);

}  // namespace heddle::runtime
