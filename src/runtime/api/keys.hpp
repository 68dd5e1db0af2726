// Keys of thread-specific values: those of POSIX and of C.
#pragma once

#include "runtime/kernel/savepoint.hpp"
#include "runtime/kernel/state_hash.hpp"

namespace heddle::runtime {

// For the current thread, which ends.
void run_key_destructors();

// The thread has no values or, if it is the first, those from before main.
void clear_key_values(unsigned id);

// Calls visit for the values of the thread.
void visit_keys(unsigned id, void (*visit)(const char* begin, const char* end));

// Keys are those that existed when main began.
void remember_keys();
void restore_keys();

// With the values of all threads.
void save_keys(Savepoint& into);
void digest_keys(StateHash& into);

}  // namespace heddle::runtime
