// Threads of the program: how they begin, are stopped in loops, and end.
//
// Starts, ends and joins are not steps, as no thread can observe when they happen: their result is
// that the next step of a thread comes after those of other threads (docs/decisions/0005).
#pragma once

#include "runtime/abi/abi.h"
#include "runtime/kernel/fiber.hpp"
#include "runtime/kernel/savepoint.hpp"
#include "runtime/kernel/time_limit.hpp"

namespace heddle::runtime {

// A new thread, whose creator has taken the step. Its number depends on its creator alone. It
// continues to its first step before any thread takes another.
unsigned next_child();
void create_thread(unsigned id, void* (*function)(void*), void* argument);
// The first thread, of a new run.
void begin_first_thread(void* (*function)(void*));

// Returns when the thread has ended; false: the time limit was reached first. (A caller that can
// observe when a thread ends uses hidden.ends.)
bool await_end(Fiber& other, TimeLimit limit = {});

// The current thread has ended; if it is the last, the process exits. exit_process: it ends the
// process as if all other threads ran to their ends first. (What they do then, they could have done
// before.)
[[noreturn]] void finish_thread();
[[noreturn]] void exit_process(int status);
// The current thread waits for something that never comes, the end of the process.
[[noreturn]] void stop_for_ever();
// It continues no further, with this status: Hooks::leave_thread.
[[noreturn]] void leave_thread(Fiber::Status status);

// A thread that has ended continues in this function, after all that other threads did; its stack
// is empty.
void bring_back(Fiber& f, void (*function)(Fiber*));

// The current thread continues no further in this run unless, when no other thread can continue, it
// turns out that it could leave its loop; `loop` says where.
void stop_spinning(const abi::Site* loop, const void* frame);
// The same, but it continues at this time at the latest, which then is the time it sees: when no
// thread can continue otherwise, and no time limit ends earlier.
void wait_in_loop(const abi::Site* loop, const void* frame, std::uint64_t until);

// Parts of the state of a run, see worker/parts.cpp: fibers and which of them there are; and which
// numbers new threads have been given.
void clear_threads();
void save_threads(Savepoint& into);
void clear_names();
void save_names(Savepoint& into);

}  // namespace heddle::runtime
