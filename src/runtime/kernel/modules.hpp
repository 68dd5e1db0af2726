// The instrumented modules of the program: which functions they call that they do not define.
#pragma once

#include <cstdint>

#include "runtime/abi/abi.h"
#include "runtime/abi/wire.h"

namespace heddle::runtime {

// Makes all modules note their calls where the engine sees them, and where they outlive a run;
// modules that are loaded later, too. REQUIRES: there has been no run.
void share_modules(abi::Modules& list, abi::CallNotes& notes);

// A run begins in which the modules of the program register themselves, before anything else.
void register_in_runs();

namespace detail {
struct Modules {
  bool has_compares;
  std::uint32_t count, left_out;
  abi::Modules* shared;
  abi::CallNotes* notes;
  bool registered_in_runs;
  std::uint32_t first_in_run;  // to be registered, if that is part of runs
  std::uint32_t next_in_run;   // likewise: of a run
  abi::Module* list[abi::max_modules];
};
extern Modules modules;
}  // namespace detail
// Whether a module has compare-exchanges.
inline bool has_compares() { return detail::modules.has_compares; }

// Whether a thread that this code starts belongs to a library that has no hooks. Threads that the C
// and the C++ library start count as the program's.
bool is_foreign(const void* code);

}  // namespace heddle::runtime
