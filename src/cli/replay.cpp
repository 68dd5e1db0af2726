// heddle replay: reproduces a finding from its failure file.
#include <fmt/format.h>

#include "base/check.hpp"
#include "base/files.hpp"
#include "cli/command.hpp"
#include "cli/program.hpp"
#include "native/debug.hpp"
#include "native/option_table.hpp"
#include "report/failure.hpp"
#include "report/json.hpp"
#include "report/page.hpp"
#include "report/text.hpp"

namespace heddle::cli {
namespace {

using report::Failure;

// A schedule belongs to one build of a program. Another build may still follow it.
bool is_same_build(const Failure& failure) {
  return report::build_of(failure.options.command[0]) == failure.build;
}

void say(const std::string& what) { fmt::print(stderr, "heddle: {}\n", what); }

native::Replay replayed(const Failure& failure, bool same_build, native::Output output) {
  try {
    return native::replay(failure.options, failure.schedule, failure.visible, output);
  } catch (const Misuse& misuse) {
    if (same_build) throw;
    throw Misuse(fmt::format("{}; explore this build again", misuse.what()));
  }
}

// Messages are not compared: another version of heddle may word them differently.
bool is_same_place(const findings::Place& a, const findings::Place& b) {
  return a.is_known() && a.line == b.line && a.file == b.file;
}

bool is_as_expected(const Failure& failure, const native::Replay& run) {
  return !run.findings.empty() && run.findings[0].kind == failure.kind &&
         (run.findings[0].message == failure.message ||
          is_same_place(run.findings[0].place, failure.place));
}

const char* expected_kind(const Failure& failure) {
  return abi::finding_names[static_cast<std::size_t>(failure.kind)];
}

report::Subject subject_of(const Failure& failure) {
  const std::vector<std::string>& command = failure.options.command;
  return {"replay", command[0], {command.begin() + 1, command.end()}, "", ""};
}

void print_json(const Failure& failure, bool same_build, const native::Replay& run) {
  report::Json out = report::to_json(subject_of(failure), run);
  out["same_build"] = same_build;
  out["expected"] = {{"kind", expected_kind(failure)}, {"message", failure.message}};
  out["as_expected"] = is_as_expected(failure, run);
  report::print(out);
}

void print_text(const Failure& failure, const native::Replay& run, bool verbose) {
  const report::Style style = report::style_for(stdout);
  if (run.findings.empty()) {
    if (verbose) fmt::print("{}", report::text_of(run.trace, style, true));
    fmt::print("nothing was found in this run; expected: {} [{}]\n", failure.message,
               expected_kind(failure));
    return;
  }
  fmt::print("{}", report::text_of(run.findings[0], style, verbose));
  std::fflush(stdout);
  if (!is_as_expected(failure, run))
    say(fmt::format("replay found a different problem; expected: {} [{}]", failure.message,
                    expected_kind(failure)));
}

}  // namespace

int run_replay(const Arguments& arguments) {
  if (arguments.json && arguments.gdb) throw Misuse("'--json' and '--gdb' cannot be combined");
  if (!arguments.html.empty()) check_writable(arguments.html);
  const std::string& given = arguments.operands[0];
  const std::string file =
      arguments.operands.size() > 1 ? arguments.operands[1] : failure_file(given, 0);
  Failure failure = report::read_failure(file);
  std::string& program = failure.options.command[0];
  program = path_of_program(given);
  if (!arguments.exploration.suppress.empty())
    failure.options.suppress = arguments.exploration.suppress;
  const bool same_build = is_same_build(failure);
  if (!same_build) say(fmt::format("{} is not the build that failed", program));
  const native::Replay run = replayed(
      failure, same_build, arguments.json ? native::Output::on_stderr : native::Output::shown);
  if (arguments.json)
    print_json(failure, same_build, run);
  else
    print_text(failure, run, arguments.verbose);
  if (!arguments.html.empty())
    write_file(arguments.html,
               to_html(subject_of(failure), run,
                       {{fmt::format("heddle replay {} {}", quoted(given), quoted(file))},
                        native::command_line_of(failure.options),
                        {}}));
  if (run.findings.empty()) return exit_ok;
  if (arguments.gdb) native::debug(failure.options.command, run);
  return exit_finding;
}

}  // namespace heddle::cli
