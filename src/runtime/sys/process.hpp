// This process: calls that must succeed, and how it ends.
//
// Which functions of the C library the runtime may call:
// - Before main, and in `worker` between runs: any. What they allocate is then part of the image.
// - In a run, on a thread of the program: only those that neither allocate, nor lock, nor keep
//   state of their own, nor are stood in for by `api`: <cstring>, snprintf to a buffer (without
//   floating point), sorting and searching. The C library's state is the program's, and a lock of
//   it may be held by a thread that is not running. Everything else goes through `system_call`.
// - In the handler of a fault: the same.
// A function that `api` stands in for (`read`, `mmap`, `nanosleep`, `getenv`, ...) would be taken
// for a call by the program.
#pragma once

#include "runtime/sys/system_call.hpp"

namespace heddle::runtime {

// One that has to succeed, sooner or later: if the system refuses it, so does the runtime.
long needed_call(const char* name, long number, long a = 0, long b = 0, long c = 0, long d = 0);
[[noreturn]] void refuse_call(const char* name);

// To stderr, around stdio: its state is the program's.
void say(const char* message);

// The runtime cannot continue, and ends the process: because of this program or of the system, and
// what can be done about it is in the text; or because of itself. The engine is told
// (abi::LastWord).
[[noreturn]] void refuse(const char* why);
[[noreturn]] void give_up(const char* bug);

// The next such signal does what the system has for it.
void set_default_action(int signal);

// Terminates with the given wait status: the same exit code or signal.
[[noreturn]] void die_like(int status);

// Starts the program over with addresses that are the same each time, unless it has them, or the
// system refuses it: then they are those of this process.
void fix_addresses(char** arguments);
// Starts it over.
[[noreturn]] void execute(char** arguments, char** environment);

}  // namespace heddle::runtime
