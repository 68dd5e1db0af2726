// The handles by which programs know threads.
#pragma once

#include <pthread.h>

#include "runtime/kernel/fiber.hpp"

namespace heddle::runtime {

inline pthread_t handle_of(const Fiber& f) { return f.id + 1UL; }

// Null if there is none.
inline Fiber* fiber_of(pthread_t handle) {
  if (handle == 0 || handle > abi::max_threads) return nullptr;
  Fiber& f = fiber(static_cast<unsigned>(handle) - 1);
  return f.status == Fiber::Status::absent ? nullptr : &f;
}

}  // namespace heddle::runtime
