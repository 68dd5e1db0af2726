// What is done to a module before it is instrumented, and in between.
#pragma once

#include <llvm/IR/PassManager.h>

#include "pass/hooks.hpp"
#include "pass/sites.hpp"

namespace heddle::pass {

// Forgets that code should be small, so that hooks are the same at each level of optimisation.
void ignore_size(llvm::Module& module);

// Functions that are to be one step begin and end it.
void wrap_atomic_functions(llvm::Module& module);

// Members of std::string that look for another string, or compare with one, may read all of it,
// however much they need.
void read_whole_arguments(llvm::Module& module, const Hooks& hooks, Sites& sites);

// Inlines small functions of the standard library, so that a place is one in the user's code, and
// turns local variables into registers.
void simplify(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

// Gives each way through a loop blocks of its own, where clang lets several ways share those that
// end the lives of variables, and so mixes values of ways that continue with those of ways that
// leave. Only for modules in which accesses have their hooks: others would lose some.
void separate_ways(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

// Forgets what the source promises of functions, such as that they only read: with hooks in them,
// they do more, and calls of them must not be merged or left out.
void forget_effects(llvm::Module& module);

}  // namespace heddle::pass
