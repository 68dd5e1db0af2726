// heddle replay: a finding again, from its failure file.
#include <fmt/format.h>

#include "base/check.hpp"
#include "cli/command.hpp"
#include "cli/program.hpp"
#include "native/debug.hpp"
#include "report/failure.hpp"
#include "report/text.hpp"

namespace heddle::cli {
namespace {

using report::Failure;

// A schedule fits the program that it was made with. Another build may still do the same.
bool is_same_build(const Failure& failure) {
  return report::build_of(failure.options.command[0]) == failure.build;
}

void say(const std::string& what) { fmt::print(stderr, "heddle: {}\n", what); }

native::Replay replayed(const Failure& failure, bool same_build) {
  try {
    return native::replay(failure.options, failure.schedule, failure.visible);
  } catch (const Misuse& misuse) {
    if (same_build) throw;
    throw Misuse(fmt::format("{}; explore this build again", misuse.what()));
  }
}

}  // namespace

int run_replay(const Arguments& arguments) {
  const std::string& given = arguments.operands[0];
  Failure failure = report::read_failure(arguments.operands.size() > 1 ? arguments.operands[1]
                                                                       : failure_file(given, 0));
  std::string& program = failure.options.command[0];
  program = path_of_program(given);
  const bool same_build = is_same_build(failure);
  if (!same_build) say(fmt::format("{} is another build than the one that failed", program));
  const native::Replay run = replayed(failure, same_build);
  const report::Style style = report::style_for(stdout);
  if (run.findings.empty()) {
    if (arguments.verbose) fmt::print("{}", report::text_of(run.trace, style, true));
    fmt::print("nothing was found in this run; it was to be {}: {}\n",
               abi::finding_names[static_cast<std::size_t>(failure.kind)], failure.message);
    return exit_ok;
  }
  const native::Finding& found = run.findings[0];
  fmt::print("{}", report::text_of(found, style, arguments.verbose));
  std::fflush(stdout);
  if (found.kind != failure.kind || found.message != failure.message)
    say(fmt::format("what was to be found is another: {}: {}",
                    abi::finding_names[static_cast<std::size_t>(failure.kind)], failure.message));
  if (arguments.gdb) native::debug(failure.options.command, run);
  return exit_finding;
}

}  // namespace heddle::cli
