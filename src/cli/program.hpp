// What the commands that explore compiled programs share.
#pragma once

#include <string>

#include "cli/arguments.hpp"
#include "native/exploration.hpp"
#include "report/subject.hpp"

namespace heddle::cli {

// The path of a program, so that it is not searched for in PATH.
std::string path_of_program(const std::string& given);

// The path of the failure file for a finding of a program, numbered from 0: in the current
// directory, under the program's name without the suffix that heddle check gives it.
std::string failure_file(const std::string& program, std::size_t number);

// A word for a shell.
std::string quoted(const std::string& word);

// The command that shows the finding again, without a failure file.
std::string replay_command(const native::Options& options, const report::Subject& subject,
                           const findings::Finding& finding);

native::Options native_options(const Arguments& arguments, const std::string& program);

// Explores the program and reports, as the arguments say; returns the exit status.
int explore_program(const Arguments& arguments, const std::string& command,
                    const std::string& program);

}  // namespace heddle::cli
