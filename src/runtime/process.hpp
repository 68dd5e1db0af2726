// The process: its system calls, its signals, how it ends.
#pragma once

#include <cstdint>

namespace heddle::runtime {

// Straight to the system, around the functions that the program sees. Negative: an error.
long system_call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                 long f = 0);

// One that has to succeed, sooner or later: if the system refuses it, so does the runtime.
long needed_call(const char* name, long number, long a = 0, long b = 0, long c = 0, long d = 0);
[[noreturn]] void refuse_call(const char* name);

// To stderr, around stdio: its state is the program's.
void say(const char* message);

// The runtime cannot go on, and ends the process: because of this program or of the system, and
// what can be done about it is in the text; or because of itself. The engine is told
// (abi::LastWord).
[[noreturn]] void refuse(const char* why);
[[noreturn]] void give_up(const char* bug);

// Ends this process as another ended: what wait said of it.
[[noreturn]] void die_like(int status);

// Fatal signals become findings.
void catch_signals();

// Starts the program over with addresses that are the same each time, unless it has them, or the
// system refuses it: then they are those of this process.
void fix_addresses(char** arguments);
// Starts it over.
[[noreturn]] void execute(char** arguments, char** environment);

}  // namespace heddle::runtime
