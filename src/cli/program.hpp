// What the commands share that explore a compiled program.
#pragma once

#include <string>

#include "cli/arguments.hpp"
#include "native/exploration.hpp"

namespace heddle::cli {

// The path of a program, so that it is not looked for elsewhere.
std::string path_of_program(const std::string& given);

native::Options native_options(const Arguments& arguments, const std::string& program);

// Explores the program and reports, as the arguments say; returns the exit status.
int explore_program(const Arguments& arguments, const std::string& command,
                    const std::string& program);

}  // namespace heddle::cli
