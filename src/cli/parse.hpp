// From the words of the command line to arguments.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace heddle::cli {

// `words` are those after the command's name. Throws Misuse, with one line, if they are invalid.
Arguments parse(const Command& command, std::vector<std::string> words);

}  // namespace heddle::cli
