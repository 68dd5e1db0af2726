#include "cli/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>

#include "base/check.hpp"
#include "base/files.hpp"
#include "cli/cluster.hpp"
#include "cli/command.hpp"
#include "cli/jobs.hpp"
#include "cli/live.hpp"
#include "native/choice.hpp"
#include "native/option_table.hpp"
#include "report/checkpoint.hpp"
#include "report/failure.hpp"
#include "report/json.hpp"
#include "report/junit.hpp"
#include "report/page.hpp"
#include "report/parts.hpp"
#include "report/sarif.hpp"
#include "report/text.hpp"

namespace heddle::cli {
namespace {

using findings::Finding;
using native::Report;
using report::Subject;

// The path of a file about this program, in the current directory.
std::string beside(const std::string& program, const std::string& suffix) {
  const std::filesystem::path path = std::filesystem::path(program).filename();
  return (path.extension() == ".heddle" ? path.stem() : path).string() + suffix;
}

// Writes the failure file and returns its path; empty if it cannot be written.
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

// One for each finding.
std::vector<std::string> written_failures(const native::Options& options, const Subject& subject,
                                          const Report& report) {
  std::vector<std::string> out;
  for (std::size_t k = 0; k < report.findings.size(); ++k)
    out.push_back(written_failure(options, subject, report.findings[k], k));
  return out;
}

// One for each finding.
std::vector<std::string> replay_commands(const native::Options& options, const Subject& subject,
                                         const Report& report,
                                         const std::vector<std::string>& failure_files) {
  std::vector<std::string> out;
  for (std::size_t k = 0; k < report.findings.size(); ++k)
    out.push_back(failure_files[k].empty()
                      ? replay_command(options, subject, report.findings[k])
                      : fmt::format("heddle replay {} {}", quoted(subject.program),
                                    quoted(failure_files[k])));
  return out;
}

void print_report(const Subject& subject, const Report& report,
                  const std::vector<std::string>& replay, bool outcomes) {
  const report::Style style = report::style_for(stdout);
  for (std::size_t k = 0; k < report.findings.size(); ++k) {
    fmt::print("{}\n", report::text_of(report.findings[k], style));
    fmt::print("  to replay: {}\n", replay[k]);
  }
  if (outcomes) fmt::print("{}", report::text_of(report.outcomes));
  for (const std::string& w : report.warnings) fmt::print("warning: {}\n", w);
  fmt::print("{}\n", report::verdict_line(subject, report));
  if (report.findings.empty()) fmt::print("  {}\n", fmt::join(report.limits, "\n  "));
  if (!subject.expected.empty() && !meets_expectation(subject, report))
    fmt::print("expected: {}\n", subject.expected);
}

// Where the checkpoint of a stopped exploration goes: where the user asked for it, or a default if
// the user interrupted it. Otherwise empty.
std::string checkpoint_file(const Arguments& arguments, const Subject& subject,
                            const Report& report) {
  const bool interrupted = *Interrupts::flag() != 0;
  if (!report.checkpoint || (arguments.checkpoint.empty() && !interrupted)) return "";
  return arguments.checkpoint.empty() ? beside(subject.program, ".checkpoint")
                                      : arguments.checkpoint;
}

void write_checkpoint(const std::string& path, const Arguments& arguments, const Subject& subject,
                      const native::Options& options, Report& report) {
  if (path.empty()) return;
  report::write_checkpoint(path, {report::build_of(options.command[0]), subject.algorithm, options,
                                  std::move(*report.checkpoint)});
  if (!arguments.json)
    fmt::print("  to continue: heddle run {} --resume {}\n", quoted(subject.program), quoted(path));
}

// Writes a checkpoint now and then, so that little is lost if this process is killed. It is removed
// if nothing is left to do.
class Checkpoints {
 public:
  Checkpoints(std::string path, const Subject& subject, const native::Options& options)
      : path_(std::move(path)), subject_(subject), options_(options) {}

  void write(native::Checkpoint checkpoint) {
    try {
      report::write_checkpoint(path_, {report::build_of(options_.command[0]), subject_.algorithm,
                                       options_, std::move(checkpoint)});
      written_ = true;
    } catch (const Misuse& misuse) {
      fmt::print(stderr, "heddle: {}\n", misuse.what());
    }
  }
  void remove_if_done(const Report& report) const {
    if (written_ && !report.checkpoint) std::filesystem::remove(path_);
  }

 private:
  std::string path_;
  const Subject& subject_;
  const native::Options& options_;
  bool written_ = false;
};

// Reports how much is left, if there is an estimate, and how to continue.
std::vector<std::string> advice(const native::Options& options, const Report& report,
                                const std::optional<Forecast::Range>& total, bool saved) {
  if (report.stopped.empty()) return {};
  const auto done = static_cast<double>(report.counts.runs());
  std::vector<std::string> out = {share_text(done, total)};
  std::string next = "next: a higher limit";
  if (!saved && report.checkpoint)
    next += ", with --checkpoint FILE to continue from where it stops";
  if (options.explore.order != ExploreOptions::Pick::random)
    next += "; --order random to sample schedules from the whole tree";
  out.push_back(next + "; fewer threads or operations");
  return out;
}

// What became known while the exploration ran.
struct Course {
  std::optional<Forecast::Range> total;  // of runs, estimated
  std::vector<native::Progress> samples;
};

// A page shows no more samples than it has pixels for: of many, every other one is left.
void add_sample(const native::Progress& progress, std::vector<native::Progress>& to) {
  constexpr std::size_t most = 400;
  to.push_back(progress);
  if (to.size() <= most) return;
  for (std::size_t k = 0; 2 * k < to.size(); ++k) to[k] = to[2 * k];
  to.resize((to.size() + 1) / 2);
}

// With the algorithm that the subject has; or, if it is to be chosen, the one that it then has.
Report explored(native::Options options, Subject& subject, Checkpoints* checkpoints,
                Course& course) {
  const Interrupts interrupts;
  Live live;
  if (checkpoints != nullptr)
    options.on_checkpoint = [&](native::Checkpoint c) { checkpoints->write(std::move(c)); };
  options.limits.interrupted = Interrupts::flag();
  options.on_progress = [&](const native::Progress& progress) {
    live.show(progress);
    add_sample(progress, course.samples);
  };
  Report report;
  if (subject.chose) {
    native::Choice choice = native::explore_by_choice(options);
    subject.algorithm = choice.algorithm->name;
    report = std::move(choice.report);
  } else {
    report = native::explore(*find_algorithm(subject.algorithm), options);
  }
  course.total = live.total();
  return report;
}

// Takes options, arguments and algorithm from a checkpoint or a part. `name` is for messages.
void check_saved(report::SavedExploration& saved, const std::string& name,
                 const std::string& program) {
  saved.options.command[0] = path_of_program(program);
  if (report::build_of(saved.options.command[0]) != saved.build)
    throw Misuse(fmt::format("{} is of another build of {}: explore this build from the beginning",
                             name, program));
  const Algorithm* algorithm = find_algorithm(saved.algorithm);
  if (algorithm == nullptr || !algorithm->is_divisible())
    throw Misuse(fmt::format("{}: corrupt checkpoint: invalid algorithm", name));
}

// The line of heddle split that the user means: itself, or FILE:N.
report::Part part_of(const std::string& given) {
  if (given.starts_with("{")) return report::parse_part(given);
  const std::size_t colon = given.rfind(':');
  std::size_t number = 0;
  const char* const end = given.data() + given.size();
  if (colon == std::string::npos ||
      std::from_chars(given.data() + colon + 1, end, number).ptr != end || number == 0)
    throw Misuse(fmt::format("--cube takes a line of heddle split, or FILE:N, not '{}'", given));
  std::istringstream lines(read_file(given.substr(0, colon)));
  std::string line;
  for (std::size_t k = 0; k < number; ++k)
    if (!std::getline(lines, line))
      throw Misuse(fmt::format("{} has no line {}", given.substr(0, colon), number));
  return report::parse_part(line);
}

// With what the user may change.
void take_up(const report::SavedExploration& saved, Subject& subject, native::Options& options) {
  subject.algorithm = saved.algorithm;
  subject.arguments.assign(saved.options.command.begin() + 1, saved.options.command.end());
  native::Options taken = saved.options;
  taken.limits = options.limits;
  taken.engines = options.engines;
  taken.deterministic = options.deterministic;
  taken.keep_going = taken.keep_going || options.keep_going;
  taken.checkpoint_every = options.checkpoint_every;
  taken.explore.max_executions = options.explore.max_executions;
  taken.resume = &saved.checkpoint;
  options = std::move(taken);
}

int status_of(const Subject& subject, const Report& report) {
  if (!subject.expected.empty()) return meets_expectation(subject, report) ? exit_ok : exit_finding;
  const std::string_view verdict = report.verdict();
  if (verdict == "finding") return exit_finding;
  return verdict == "verified" ? exit_ok : exit_incomplete;
}

}  // namespace

std::string quoted(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string replay_command(const native::Options& options, const Subject& subject,
                           const Finding& f) {
  std::string out = fmt::format("heddle run {}", quoted(subject.program));
  for (const std::string& word : native::command_line_of(options)) out += " " + quoted(word);
  out += fmt::format(" --schedule '{}'", f.replay_text());
  if (!subject.arguments.empty()) out += " --";
  for (const std::string& word : subject.arguments) out += " " + quoted(word);
  return out;
}

std::string failure_file(const std::string& program, std::size_t number) {
  return beside(program, number == 0 ? ".failure" : fmt::format(".{}.failure", number + 1));
}

std::string path_of_program(const std::string& given) {
  return given.find('/') == std::string::npos ? "./" + given : given;
}

native::Options native_options(const Arguments& arguments, const std::string& program) {
  native::Options out = arguments.exploration;
  out.engines = engines_of(arguments);
  out.command = {path_of_program(program)};
  out.command.insert(out.command.end(), arguments.after_dashes.begin(),
                     arguments.after_dashes.end());
  return out;
}

int explore_program(const Arguments& arguments, const std::string& command,
                    const std::string& program) {
  for (const std::string& file :
       {arguments.junit, arguments.sarif, arguments.html, arguments.checkpoint})
    if (!file.empty()) check_writable(file);
  Subject subject{command, program, arguments.after_dashes, arguments.algorithm, arguments.expect};
  native::Options options = native_options(arguments, program);
  report::Part part;
  report::SavedExploration& saved = part.exploration;
  if (!arguments.cube.empty()) {
    if (!arguments.resume.empty()) throw Misuse("'--cube' and '--resume' cannot be combined");
    part = part_of(arguments.cube);
    check_saved(saved, "the cube", program);
    take_up(saved, subject, options);
    options.part = true;
  } else if (!arguments.resume.empty()) {
    saved = report::read_checkpoint(arguments.resume);
    check_saved(saved, arguments.resume, program);
    take_up(saved, subject, options);
  }
  if (!arguments.broker.empty()) explore_through_broker(arguments, subject.algorithm, options);
  options.saves = !arguments.checkpoint.empty();
  subject.chose = subject.algorithm == automatic;
  if (subject.chose) subject.algorithm = native::first_choice;  // as checkpoints have it
  Checkpoints checkpoints(arguments.checkpoint, subject, options);
  Course course;
  Report report =
      explored(options, subject, arguments.checkpoint.empty() ? nullptr : &checkpoints, course);
  checkpoints.remove_if_done(report);
  print_overhead(arguments, report.overhead, report.counts);
  const std::vector<std::string> failure_files = written_failures(options, subject, report);
  const std::vector<std::string> replay = replay_commands(options, subject, report, failure_files);
  const std::string checkpoint = checkpoint_file(arguments, subject, report);
  if (arguments.json) {
    report::Json out = report::to_json(subject, report, failure_files, checkpoint, course.total);
    if (options.part) out["cube"] = report::to_json(part, report);
    report::print(out);
  } else {
    print_report(subject, report, replay, arguments.outcomes);
    for (const std::string& line : advice(options, report, course.total, !checkpoint.empty()))
      fmt::print("  {}\n", line);
  }
  write_checkpoint(checkpoint, arguments, subject, options, report);
  if (!arguments.junit.empty()) write_file(arguments.junit, to_junit(subject, report));
  if (!arguments.sarif.empty())
    write_file(arguments.sarif, report::text_of(to_sarif(subject, report)));
  if (!arguments.html.empty())
    write_file(arguments.html,
               to_html(subject, report,
                       {replay, native::command_line_of(options), std::move(course.samples)}));
  return status_of(subject, report);
}

}  // namespace heddle::cli
