// heddle help: the manual, as text and for man, Markdown and bash.
#include <fmt/format.h>

#include "base/check.hpp"
#include "cli/command.hpp"
#include "cli/manual.hpp"

namespace heddle::cli {
namespace {

std::span<const Command> wanted_commands(const Arguments& arguments) {
  if (arguments.operands.empty()) return commands();
  if (const Command* command = find_command(arguments.operands[0])) return {command, 1};
  throw Misuse(fmt::format("unknown command '{}' (see heddle help)", arguments.operands[0]));
}

std::string wanted(const Arguments& arguments) {
  if (arguments.json) {
    if (arguments.man || arguments.markdown || arguments.completion)
      throw Misuse("'--json' cannot be combined with '--man', '--markdown' or '--completion'");
    return report::text_of(json_manual(wanted_commands(arguments)));
  }
  if (arguments.man) return manual_page();
  if (arguments.markdown) return markdown_reference();
  if (arguments.completion) return bash_completion();
  if (arguments.operands.empty()) return overview();
  return help(wanted_commands(arguments)[0]);
}

}  // namespace

int run_help(const Arguments& arguments) {
  fmt::print("{}", wanted(arguments));
  return exit_ok;
}

}  // namespace heddle::cli
