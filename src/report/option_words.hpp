// The options of an exploration as words, as failure files, checkpoints and command lines have
// them: "races=explore", "spurious-wakeups". One table for all.
#pragma once

#include <string>
#include <vector>

#include "native/exploration.hpp"

namespace heddle::report {

enum class Scope : bool {
  runs,         // those with which runs are others
  exploration,  // also those that say how to explore
};

// Those that are not as they are by default.
std::vector<std::string> option_words(const native::Options& options, Scope scope);

// Throws Misuse if there is no such option, or not with this value.
void read_option(const std::string& word, native::Options& to);

// " --races explore --spurious-wakeups": as on the command line, for runs to be the same.
std::string command_line_options(const native::Options& options);

}  // namespace heddle::report
