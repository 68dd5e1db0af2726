// heddle run: every schedule that matters of a compiled program, or one.
#include <fmt/format.h>

#include "base/check.hpp"
#include "base/files.hpp"
#include "cli/command.hpp"
#include "cli/program.hpp"
#include "native/option_table.hpp"
#include "report/json.hpp"
#include "report/page.hpp"
#include "report/text.hpp"

namespace heddle::cli {
namespace {

int replay(const Arguments& arguments, const std::string& program) {
  if (!arguments.html.empty()) check_writable(arguments.html);
  const std::string& given = *arguments.schedule;
  const native::Options options = native_options(arguments, program);
  const native::Replay run =
      native::replay(options, given.starts_with("@") ? read_file(given.substr(1)) : given,
                     arguments.json ? native::Output::on_stderr : native::Output::shown);
  const int status = run.findings.empty() ? exit_ok : exit_finding;
  const report::Subject subject{"run", program, arguments.after_dashes, "", ""};
  if (!arguments.html.empty()) {
    report::PageContext context{{}, native::command_line_of(options), {}};
    for (const findings::Finding& f : run.findings)
      context.replay.push_back(replay_command(options, subject, f));
    write_file(arguments.html, to_html(subject, run, context));
  }
  if (arguments.json) {
    report::print(report::to_json(subject, run));
    return status;
  }
  const report::Style style = report::style_for(stdout);
  fmt::print("{}", run.findings.empty() ? report::text_of(run.trace, style)
                                        : report::text_of(run.findings[0], style));
  return status;
}

}  // namespace

int run_run(const Arguments& given) {
  Arguments arguments = given;
  const std::string program = given.operands[0];
  // Words that are not options need no "--" before them.
  arguments.after_dashes.insert(arguments.after_dashes.begin(), given.operands.begin() + 1,
                                given.operands.end());
  return arguments.schedule ? replay(arguments, program)
                            : explore_program(arguments, "run", program);
}

}  // namespace heddle::cli
