// Threads as programs see them.
#pragma once

#include "runtime/fiber.hpp"
#include "runtime/savepoint.hpp"

namespace heddle::runtime {

// Those of the current thread's thread-local objects, then of its keys.
void run_thread_destructors();

// What a new thread has: no destructors, and no values of keys, or of the first thread those from
// before main.
void clear_thread_data(unsigned id);

// Calls visit for the values of the thread's keys.
void visit_keys(unsigned id, void (*visit)(const char* begin, const char* end));

// Keys are those that existed when main began.
void remember_keys();
void restore_keys();

// All of the above, of all threads.
void save_threads(Savepoint& into);

}  // namespace heddle::runtime
