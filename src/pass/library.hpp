// What is known of functions by their names.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>

#include "runtime/abi/abi.h"
#include "runtime/abi/functions.h"

namespace heddle::pass {

// Defined in headers of the standard library.
bool is_standard_library(llvm::StringRef name);

// A function of another module with numbers in, and a number out: nothing a report could be about.
bool is_arithmetic(const llvm::Function& f);

// The whole body is one step.
bool is_atomic_function(llvm::StringRef name);

// The runtime notices all that a call changes, and all that its result depends on.
bool is_tracked(llvm::StringRef name);

// The function uses what this argument points to only until it returns, and only in its thread.
bool only_borrows(llvm::StringRef name, unsigned argument);

// The function hands none of its arguments to other threads, and keeps none.
bool keeps_to_itself(llvm::StringRef name);

// For a member of std::string that looks for the string it is given, or compares with it: how many
// bytes a character has. Otherwise 0.
unsigned looks_at_string(llvm::StringRef name);

}  // namespace heddle::pass
