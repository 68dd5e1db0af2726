// heddle check: from source files to a verdict.
#include "cli/command.hpp"
#include "cli/program.hpp"
#include "native/build.hpp"

namespace heddle::cli {

int run_check(const Arguments& arguments) {
  // The executable stays in the current directory, so that a finding can be replayed.
  const std::string program = path_of_program(
      arguments.output.empty() ? native::program_name(arguments.operands) + ".heddle"
                               : arguments.output);
  native::build(arguments.operands, program);
  return explore_program(arguments, "check", program);
}

}  // namespace heddle::cli
