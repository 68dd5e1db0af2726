// The options of all commands: one table, from which the parser, the help, the manual page, the
// reference and the completion are made. Those of an exploration are rows of
// native/option_table.cpp, the others of options.cpp.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/option.hpp"
#include "cli/arguments.hpp"

namespace heddle::cli {

using Option = heddle::Option<Arguments>;

std::span<const Option> options();
std::vector<const Option*> options_of(std::string_view command);

}  // namespace heddle::cli
