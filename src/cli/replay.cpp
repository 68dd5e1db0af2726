// heddle replay: a finding again, from its failure file.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/check.hpp"
#include "cli/command.hpp"
#include "native/debug.hpp"
#include "report/failure.hpp"
#include "report/text.hpp"

namespace heddle::cli {
namespace {

using report::Failure;

struct Options {
  std::string program, file;
  bool verbose = false, gdb = false;
};

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

int run(const Options& options) {
  const std::string name = std::filesystem::path(options.program).filename().string();
  Failure failure = report::read_failure(options.file.empty() ? name + ".failure" : options.file);
  std::string& program = failure.options.command[0];
  program = options.program;
  if (program.find('/') == std::string::npos) program = "./" + program;
  const bool same_build = is_same_build(failure);
  if (!same_build) say(fmt::format("{} is another build than the one that failed", program));
  const native::Replay run = replayed(failure, same_build);
  const report::Style style = report::style_for(stdout);
  if (run.findings.empty()) {
    if (options.verbose) fmt::print("{}", report::text_of(run.trace, style, true));
    fmt::print("nothing was found in this run; it was to be {}: {}\n",
               abi::finding_names[static_cast<std::size_t>(failure.kind)], failure.message);
    return exit_ok;
  }
  const native::Finding& found = run.findings[0];
  fmt::print("{}", report::text_of(found, style, options.verbose));
  std::fflush(stdout);
  if (found.kind != failure.kind || found.message != failure.message)
    say(fmt::format("what was to be found is another: {}: {}",
                    abi::finding_names[static_cast<std::size_t>(failure.kind)], failure.message));
  if (options.gdb) native::debug(failure.options.command, run);
  return exit_finding;
}

}  // namespace

Action set_up_replay(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("program", options->program, "the executable")->required();
  app.add_option("failure", options->file, "the failure file; by default NAME.failure, here");
  app.add_flag("--verbose", options->verbose, "leave nothing out, and show all stacks");
  app.add_flag("--gdb", options->gdb, "then start gdb, which runs the program the same way");
  return [options] { return run(*options); };
}

}  // namespace heddle::cli
