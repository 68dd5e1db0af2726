#include "cli/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <string_view>

#include "base/check.hpp"
#include "base/files.hpp"
#include "cli/command.hpp"
#include "report/failure.hpp"
#include "report/json.hpp"
#include "report/junit.hpp"
#include "report/sarif.hpp"
#include "report/text.hpp"

namespace heddle::cli {
namespace {

using native::Finding;
using native::Report;
using report::Subject;

// What to say on the command line for the program to behave the same again.
std::string options_text(const Arguments& a) {
  const Arguments defaults;
  std::string out;
  if (a.races != defaults.races) out += " --races " + a.races;
  if (a.timeouts != defaults.timeouts) out += " --timeouts " + a.timeouts;
  if (a.spurious_wakeups) out += " --spurious-wakeups";
  if (a.all_visible) out += " --all-visible";
  if (a.nondet != defaults.nondet) out += fmt::format(" --nondet {}", fmt::join(a.nondet, ","));
  return out;
}

// For a shell.
std::string quoted(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string replay_command(const Arguments& arguments, const Subject& subject, const Finding& f) {
  std::string out = fmt::format("heddle run {}{} --schedule '{}'", quoted(subject.program),
                                options_text(arguments), f.replay_text());
  if (!subject.arguments.empty()) out += " --";
  for (const std::string& word : subject.arguments) out += " " + quoted(word);
  return out;
}

// Where the finding can be replayed from; empty if it cannot be written.
std::string written_failure(const native::Options& options, const Subject& subject,
                            const Finding& finding, std::size_t number) {
  const std::string path = failure_file(subject.program, number);
  try {
    report::write_failure(path, report::failure_of(finding, options));
    return path;
  } catch (const Misuse& misuse) {
    fmt::print(stderr, "heddle: {}\n", misuse.what());
    return "";
  }
}

void print_report(const Arguments& arguments, const Subject& subject, const Report& report) {
  const report::Style style = report::style_for(stdout);
  const native::Options options = native_options(arguments, subject.program);
  for (std::size_t k = 0; k < report.findings.size(); ++k) {
    const Finding& f = report.findings[k];
    fmt::print("{}\n", report::text_of(f, style));
    const std::string file = written_failure(options, subject, f, k);
    fmt::print("  replay it: {}\n",
               file.empty()
                   ? replay_command(arguments, subject, f)
                   : fmt::format("heddle replay {} {}", quoted(subject.program), quoted(file)));
  }
  for (const std::string& w : report.warnings) fmt::print("warning: {}\n", w);
  fmt::print("{}\n", report::verdict_line(subject, report));
  if (report.findings.empty()) fmt::print("  {}\n", fmt::join(report.limits, "\n  "));
  if (!subject.expected.empty() && !meets_expectation(subject, report))
    fmt::print("expected: {}\n", subject.expected);
}

int status_of(const Subject& subject, const Report& report) {
  if (!subject.expected.empty()) return meets_expectation(subject, report) ? exit_ok : exit_finding;
  const std::string_view verdict = report.verdict();
  if (verdict == "finding") return exit_finding;
  return verdict == "verified" ? exit_ok : exit_incomplete;
}

}  // namespace

std::string failure_file(const std::string& program, std::size_t number) {
  const std::filesystem::path path = std::filesystem::path(program).filename();
  const std::string name = (path.extension() == ".heddle" ? path.stem() : path).string();
  return number == 0 ? name + ".failure" : fmt::format("{}.{}.failure", name, number + 1);
}

std::string path_of_program(const std::string& given) {
  return given.find('/') == std::string::npos ? "./" + given : given;
}

native::Options native_options(const Arguments& a, const std::string& program) {
  native::Options out;
  out.command = {path_of_program(program)};
  out.command.insert(out.command.end(), a.behind.begin(), a.behind.end());
  out.explore.seed = a.seed;
  out.explore.max_executions = a.executions;
  if (a.order == "random") out.explore.order = ExploreOptions::Pick::random;
  if (a.races == "explore") out.races = abi::Races::explore;
  if (a.timeouts == "explore") out.timeouts = abi::Timeouts::explore;
  out.spurious_wakeups = a.spurious_wakeups;
  out.kill_at_exit = a.main_exit == "kill";
  out.isolate = a.isolate == "fork";
  out.all_visible = a.all_visible;
  out.keep_going = a.keep_going;
  out.nondet = a.nondet;
  out.max_steps = static_cast<std::uint32_t>(a.max_steps);
  return out;
}

int explore_program(const Arguments& arguments, const std::string& command,
                    const std::string& program) {
  for (const std::string& file : {arguments.junit, arguments.sarif})
    if (!file.empty()) check_writable(file);
  const Subject subject{command, program, arguments.behind, arguments.algorithm, arguments.expect};
  const Report report =
      native::explore(*find_algorithm(arguments.algorithm), native_options(arguments, program));
  if (arguments.json)
    report::print(report::to_json(subject, report));
  else
    print_report(arguments, subject, report);
  if (!arguments.junit.empty()) write_file(arguments.junit, to_junit(subject, report));
  if (!arguments.sarif.empty())
    write_file(arguments.sarif, report::text_of(to_sarif(subject, report)));
  return status_of(subject, report);
}

}  // namespace heddle::cli
