// The options of an exploration: one table, of which command lines, failure files and checkpoints
// are made. A file has them as words: "races=explore", "spurious-wakeups".
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/option.hpp"
#include "native/exploration.hpp"

namespace heddle::native {

std::span<const Option<Options>> option_table();

enum class Scope : bool {
  runs,         // those that change runs
  exploration,  // also those that change the exploration
};

// Those that do not have their default value. Words contain no spaces.
std::vector<std::string> option_words(const Options& options, Scope scope);

// Throws Misuse if there is no such option, or not with this value.
void read_option(const std::string& word, Options& to);

// {"--races", "explore", "--spurious-wakeups"}: as on the command line, for runs to be the same.
std::vector<std::string> command_line_of(const Options& options);

}  // namespace heddle::native
