// The compiler driver: clang with the pass, and with the runtime where it links.
#pragma once

#include <string>
#include <vector>

#include "base/check.hpp"

namespace heddle::native {

enum class Language { c, cxx };

// The command that compiles or links with these arguments, as a user would give them to clang.
// `directory` is own_directory(). Throws Misuse if there is no pass or runtime.
std::vector<std::string> compiler_command(Language language, const std::string& directory,
                                          const std::vector<std::string>& arguments);

// Where this executable is.
std::string own_directory();

// The pass, the runtime or what gdb reads: in the build directory, or in an installation in the
// directory of libraries beside it. Throws Misuse if there is none.
std::string part(const std::string& directory, const std::string& file);

// Replaces this process by the command (exec); throws Misuse if it cannot be run.
[[noreturn]] void become(std::vector<std::string> command);

// The message for a compiler that could not be started.
Misuse cannot_run(const std::string& compiler, int error);

}  // namespace heddle::native
