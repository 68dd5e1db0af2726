// Help and manuals of the commands and options, made from their tables.
#pragma once

#include <string>

#include "cli/command.hpp"
#include "report/json.hpp"

namespace heddle::cli {

std::string overview();                    // heddle --help
std::string help(const Command& command);  // heddle COMMAND --help
std::string markdown_reference();          // docs/reference.md
std::string manual_page();                 // heddle.1, for man
std::string bash_completion();
report::Json json_manual(std::span<const Command> which);  // heddle help --json

}  // namespace heddle::cli
