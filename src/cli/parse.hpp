// From the words of the command line to arguments.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace heddle::cli {

// The words are those behind the command's name. Throws Misuse, in one line, if they make no sense.
Arguments parse(const Command& command, std::vector<std::string> words);

}  // namespace heddle::cli
