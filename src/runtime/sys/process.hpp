// This process: calls that must succeed, and how it ends.
//
// Which functions of the C library the runtime may call:
// - Before main, and in `worker` between runs: any. What they allocate is then part of the image.
// - In a run, on a thread of the program: only functions that neither allocate, nor lock, nor keep
//   state of their own, nor are stood in for by `api`: <cstring>, snprintf to a buffer (without
//   floating point), sorting and searching. The C library's state is the program's, and a lock of
//   it may be held by a thread that is not running. Everything else is done by `system_call`.
// - In the handler of a fault: the same.
// A function that `api` stands in for (`read`, `mmap`, `nanosleep`, `getenv`, ...) would count as a
// call by the program.
#pragma once

#include "runtime/sys/system_call.hpp"

namespace heddle::runtime {

// A call that has to succeed, sooner or later: if the system refuses it, the runtime refuses the
// program.
long needed_call(const char* name, long number, long a = 0, long b = 0, long c = 0, long d = 0);
[[noreturn]] void refuse_call(const char* name);

// To stderr, bypassing stdio: its state is the program's.
void say(const char* message);

// The runtime cannot continue, and ends the process: because of this program or of the system, and
// the text says what can be done about it; or because of a bug of its own. The engine is told
// (abi::LastWord).
[[noreturn]] void refuse(const char* why);
[[noreturn]] void give_up(const char* bug);

// The next such signal does what the system does by default.
void set_default_action(int signal);

// Terminates with the given wait status: the same exit code or signal.
[[noreturn]] void die_like(int status);

// Starts the program over with addresses that are the same each time, unless it has them, or the
// system refuses: then they are those of this process.
void fix_addresses(char** arguments);
// Starts it over.
[[noreturn]] void execute(char** arguments, char** environment);

}  // namespace heddle::runtime
