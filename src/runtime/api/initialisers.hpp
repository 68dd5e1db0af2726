// The initialisers of the program: they run before main, or as a part of each run.
#pragma once

namespace heddle::runtime {

// From here on the program is initialised, and no longer its libraries. True if that is to be a
// part of each run: then `run_initialisers` does it.
using Initialiser = void (*)(int, char**, char**);
bool begin_initialising();
void run_initialisers(Initialiser own, int count, char** arguments, char** environment);

// An initialiser does something that only runs may do: create a thread, wait, choose. The process
// is started over, so that the initialisers of the program are part of its runs. Those of libraries
// cannot be: they are refused, with these words for what they do.
[[noreturn]] void initialise_in_runs(const char* what);
// Whether that is possible, for initialisers that can do without.
bool is_initialising_program();

}  // namespace heddle::runtime
