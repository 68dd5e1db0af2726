// Threads as programs see them.
#pragma once

#include <pthread.h>

#include "runtime/fiber.hpp"
#include "runtime/savepoint.hpp"

namespace heddle::runtime {

// Null if there is none.
Fiber* fiber_of(pthread_t handle);

// Destructors of the current thread's thread-local objects, then, if it ends by itself, of its
// keys.
void run_thread_locals();
void run_thread_destructors();

// What a new thread has: no destructors, and no values of keys, or of the first thread those from
// before main.
void clear_thread_data(unsigned id);

// All of that, and the keys.
void save_threads(Savepoint& into);

}  // namespace heddle::runtime
