// Threads as programs see them.
#pragma once

#include <pthread.h>

#include "runtime/kernel/fiber.hpp"
#include "runtime/kernel/savepoint.hpp"
#include "runtime/kernel/state_hash.hpp"

namespace heddle::runtime {

// Destructors of the current thread's thread-local objects; then, if it ends by itself, of its
// keys.
void run_thread_locals();
void run_thread_destructors();

// The initial data of a new thread: no destructors, and no values of keys or, for the first thread,
// those from before main.
void clear_thread_data(unsigned id);

// All of that, and the keys.
void save_thread_data(Savepoint& into);
void digest_thread_data(StateHash& into);

}  // namespace heddle::runtime
