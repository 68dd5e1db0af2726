// heddle help: what there is, for people and for man, Markdown and bash.
#include <fmt/format.h>

#include "base/check.hpp"
#include "cli/command.hpp"
#include "cli/manual.hpp"

namespace heddle::cli {
namespace {

std::string wanted(const Arguments& arguments) {
  if (arguments.man) return manual_page();
  if (arguments.markdown) return markdown_reference();
  if (arguments.completion) return bash_completion();
  if (arguments.operands.empty()) return overview();
  if (const Command* command = find_command(arguments.operands[0])) return help(*command);
  throw Misuse(fmt::format("there is no command '{}' (see heddle help)", arguments.operands[0]));
}

}  // namespace

int run_help(const Arguments& arguments) {
  fmt::print("{}", wanted(arguments));
  return exit_ok;
}

}  // namespace heddle::cli
