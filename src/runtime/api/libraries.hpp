// Libraries that the program loads while it runs. They are loaded before main instead, once, so
// that what they write is put back after each run like all other memory: the first time that a run
// asks for one, the process is started over (see restart.hpp). Their constructors run then. In runs
// they are only looked up.
#pragma once

namespace heddle::runtime {

// Loads those that runs have asked for so far.
void load_libraries();

// When everything is loaded that runs begin with.
void remember_libraries();
// At the end of a run: if the C library has loaded a part of itself, such as a table of characters,
// the process is started over with it.
void check_libraries();

}  // namespace heddle::runtime
