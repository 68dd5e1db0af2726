// What the commands share that explore a compiled program.
#pragma once

#include <string>

#include "cli/arguments.hpp"
#include "native/exploration.hpp"

namespace heddle::cli {

// The path of a program, so that it is not looked for elsewhere.
std::string path_of_program(const std::string& given);

// Where the failure file of a program's findings goes, the first of which is number 0: into the
// current directory, under the program's name, but for the suffix that heddle check gives it.
std::string failure_file(const std::string& program, std::size_t number);

native::Options native_options(const Arguments& arguments, const std::string& program);

// Explores the program and reports, as the arguments say; returns the exit status.
int explore_program(const Arguments& arguments, const std::string& command,
                    const std::string& program);

}  // namespace heddle::cli
