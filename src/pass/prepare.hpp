// What is done to a module before it is instrumented, and in between.
#pragma once

#include <llvm/IR/PassManager.h>

namespace heddle::pass {

// Forgets that code should be small, so that hooks are the same at each level of optimisation.
void ignore_size(llvm::Module& module);

// Functions that are to be one step begin and end it.
void wrap_atomic_functions(llvm::Module& module);

// Inlines small functions of the standard library, so that a place is one in the user's code, and
// turns local variables into registers.
void simplify(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

// Gives each way through a loop blocks of its own, where clang lets several ways share those that
// end the lives of variables, and so mixes values of ways that go on with those of ways that leave.
// Only for modules in which accesses have their hooks: others would lose some.
void separate_ways(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

}  // namespace heddle::pass
