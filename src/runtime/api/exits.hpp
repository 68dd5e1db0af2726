// How programs end: exit and what is to be done at it, abort, failed assertions, uncaught
// exceptions.
#pragma once

#include "runtime/kernel/savepoint.hpp"

namespace heddle::runtime {

// Functions to be called at exit are those that were registered when main began.
void remember_exit_functions();
void restore_exit_functions();
void save_exit_functions(Savepoint& into);

// Uncaught exceptions become findings.
void catch_terminate();

// Whether exit has anything to call.
bool does_something_at_exit();

// An assertion of the program fails, of C or of heddle.h.
[[noreturn]] void fail_assertion(const char* condition, const char* file, unsigned line,
                                 const char* function);

// The current thread ends the process as by exit.
[[noreturn]] void exit_program(int status);

}  // namespace heddle::runtime
