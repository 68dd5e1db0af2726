// Things the user names on the command line.
#pragma once

#include <string>
#include <vector>

#include "core/algorithm.hpp"
#include "interp/families.hpp"
#include "interp/random_program.hpp"

namespace heddle::cli {

// Each throws Misuse, in one line that lists the valid ones, if there is none of this name.
const Algorithm& algorithm_named(const std::string& name);
const interp::Family& family_named(const std::string& name);
const interp::Shape& shape_named(const std::string& name);

std::string algorithm_names();
std::string shape_names();

// A check for options that take a number from 0 on: without it, -1 would be read as a huge one.
std::string not_negative(const std::string& given);

// The whole file; Misuse if it cannot be read.
std::string read_file(const std::string& path);

}  // namespace heddle::cli
