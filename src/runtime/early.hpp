// What goes wrong before main begins: while global objects are initialised, no run is under way
// yet.
#pragma once

#include "runtime/abi.h"
#include "runtime/wire.h"

namespace heddle::runtime {

// Every run of the program ends like this: whatever the engine asks for, this is the answer. Kind
// `none`: nothing is wrong, but main never begins.
[[noreturn]] void end_before_main(abi::Finding kind, const char* text);

// Something that is not supported.
[[noreturn]] void refuse_before_main(const char* what);

// Global objects are initialised: runs can be made.
void begin_runs();
bool has_begun();

// From here on it is the program that is initialised, and no longer its libraries. True if that is
// to be a part of each run: then `run_initialisers` does it.
using Initialiser = void (*)(int, char**, char**);
bool begin_initialising();
void run_initialisers(Initialiser own, int count, char** arguments, char** environment);

// An initialiser does what is for runs alone: create a thread, wait, choose. The process is started
// over, so that the initialisers of the program are part of its runs. Those of libraries cannot be:
// they are refused, with these words for what they do.
[[noreturn]] void initialise_in_runs(const char* what);
// Whether that is possible, of those that can do without.
bool is_initialising_program();

}  // namespace heddle::runtime
