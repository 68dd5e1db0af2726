// What is known of functions by their names.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <optional>

#include "runtime/abi.h"
#include "runtime/functions.h"

namespace heddle::pass {

// Defined in headers of the standard library.
bool is_standard_library(llvm::StringRef name);

// The whole body is one step.
bool is_atomic_function(llvm::StringRef name);

// The runtime notices all that a call changes, and all that its result depends on.
bool is_tracked(llvm::StringRef name);

// The function uses what this argument points to only until it returns, and only in its thread.
bool only_borrows(llvm::StringRef name, unsigned argument);

// How a member of std::string that is not inline uses its object; nothing if it is none.
std::optional<abi::StringUse> string_use(llvm::StringRef name);

}  // namespace heddle::pass
