// heddle run: every schedule that matters of a compiled program.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/check.hpp"
#include "base/resources.hpp"
#include "cli/command.hpp"
#include "cli/names.hpp"
#include "native/exploration.hpp"
#include "report/failure.hpp"
#include "report/text.hpp"

namespace heddle::cli {
namespace {

using native::Finding;
using native::Report;

struct Options {
  native::Options native;
  std::string program, algorithm = "observers", schedule;
  std::vector<std::string> arguments;
  bool json = false, random = false;
};

constexpr int schema = 1;  // of the JSON

const Algorithm& usable_algorithm(const std::string& name) {
  const Algorithm& algorithm = algorithm_named(name);
  if (algorithm.any_order) return algorithm;
  throw Misuse(fmt::format(
      "the algorithm '{}' works on model programs only; for compiled ones there are: optimal, "
      "observers",
      name));
}

void print_json(const Options& options, const Report& report) {
  nlohmann::ordered_json out;
  out["schema"] = schema;
  out["program"] = options.program;
  out["algorithm"] = options.algorithm;
  out["verdict"] = report.verdict();
  out["complete"] = report.complete;
  out["executions"] = report.counts.executions;
  out["blocked"] = report.counts.blocked;
  out["merged"] = report.counts.merged;
  out["events"] = report.counts.transitions;
  out["findings"] = nlohmann::ordered_json::array();
  for (const Finding& f : report.findings)
    out["findings"].push_back({{"kind", f.kind_name()},
                               {"message", f.message},
                               {"file", f.place.file},
                               {"line", f.place.line},
                               {"thread", f.thread},
                               {"schedule", f.replay_text()}});
  out["warnings"] = report.warnings;
  out["limits"] = report.limits;
  out["seconds"] = report.seconds;
  out["peak_rss_kb"] = peak_rss_kb();
  fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

// What to say on the command line for the program to behave the same again.
std::string options_of(const native::Options& n) {
  std::string out;
  if (n.races == abi::Races::explore) out += " --races explore";
  if (n.timeouts == abi::Timeouts::explore) out += " --timeouts explore";
  if (n.spurious_wakeups) out += " --spurious-wakeups";
  if (n.all_visible) out += " --all-visible";
  if (n.nondet != native::Options().nondet)
    out += fmt::format(" --nondet {}", fmt::join(n.nondet, ","));
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

std::string behind(const std::vector<std::string>& arguments) {
  std::string out = arguments.empty() ? "" : " --";
  for (const std::string& word : arguments) out += " " + quoted(word);
  return out;
}

// Where the finding can be replayed from; empty if it cannot be written.
std::string written_failure(const Options& options, const Finding& finding, std::size_t number) {
  const std::string name = std::filesystem::path(options.program).filename().string();
  const std::string path =
      number == 0 ? name + ".failure" : fmt::format("{}.{}.failure", name, number + 1);
  try {
    report::write_failure(path, report::failure_of(finding, options.native));
    return path;
  } catch (const Misuse& misuse) {
    fmt::print(stderr, "heddle: {}\n", misuse.what());
    return "";
  }
}

void print_report(const Options& options, const Report& result) {
  const report::Style style = report::style_for(stdout);
  for (std::size_t k = 0; k < result.findings.size(); ++k) {
    const Finding& f = result.findings[k];
    fmt::print("{}\n", report::text_of(f, style));
    if (const std::string file = written_failure(options, f, k); !file.empty())
      fmt::print("  replay it: heddle replay {} {}\n", quoted(options.program), quoted(file));
    else
      fmt::print("  replay it: heddle run {}{} --schedule '{}'{}\n", quoted(options.program),
                 options_of(options.native), f.replay_text(), behind(options.arguments));
  }
  for (const std::string& w : result.warnings) fmt::print("warning: {}\n", w);
  fmt::print(
      "{}: {} executions{}, {} events, {:.3f} s ({})\n", result.verdict(), result.counts.executions,
      result.counts.blocked == 0 ? "" : fmt::format(" and {} blocked", result.counts.blocked),
      result.counts.transitions, result.seconds, options.algorithm);
  if (result.findings.empty()) fmt::print("  {}\n", fmt::join(result.limits, "\n  "));
}

int replay(const Options& options) {
  const std::string& given = options.schedule;
  const native::Replay run =
      native::replay(options.native, given.starts_with("@") ? read_file(given.substr(1)) : given);
  const report::Style style = report::style_for(stdout);
  if (run.findings.empty()) {
    fmt::print("{}", report::text_of(run.trace, style));
    return exit_ok;
  }
  fmt::print("{}", report::text_of(run.findings[0], style));
  return exit_finding;
}

int run(Options& options) {
  native::Options& n = options.native;
  n.command = {options.program};
  if (options.program.find('/') == std::string::npos) n.command[0] = "./" + options.program;
  n.command.insert(n.command.end(), options.arguments.begin(), options.arguments.end());
  if (options.random) n.explore.order = ExploreOptions::Pick::random;
  if (n.nondet.empty() || n.nondet.size() > abi::max_nondet)
    throw Misuse(fmt::format("--nondet takes 1 to {} values", abi::max_nondet));
  if (!options.schedule.empty()) return replay(options);
  const Report report = native::explore(usable_algorithm(options.algorithm), n);
  (options.json ? print_json : print_report)(options, report);
  if (!report.findings.empty() && !report.only_endless()) return exit_finding;
  return report.complete && report.findings.empty() ? exit_ok : exit_incomplete;
}

template <typename Value>
void add_choice(CLI::App& app, const char* name, Value& value,
                const std::map<std::string, Value>& values, const char* help) {
  app.add_option(name, value, help)
      ->transform(CLI::CheckedTransformer(values).description(""))
      ->option_text([&] {
        std::string text = "{";
        for (const auto& [key, unused] : values) text += (text.size() == 1 ? "" : ",") + key;
        return text + "}";
      }());
}

}  // namespace

Action set_up_run(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  native::Options& n = options->native;
  app.add_option("program", options->program, "the executable")->required();
  app.add_option("arguments", options->arguments, "its arguments, behind --");
  app.add_option("--algorithm", options->algorithm, "optimal, observers")->capture_default_str();
  add_choice<abi::Races>(app, "--races", n.races,
                         {{"report", abi::Races::report}, {"explore", abi::Races::explore}},
                         "data races are findings, or ordinary accesses whose orders are explored");
  add_choice<abi::Timeouts>(
      app, "--timeouts", n.timeouts,
      {{"last-resort", abi::Timeouts::last_resort}, {"explore", abi::Timeouts::explore}},
      "waits run into time limits when nothing else can happen, or any time");
  add_choice<bool>(app, "--main-exit", n.kill_at_exit, {{"go-on", false}, {"kill", true}},
                   "what becomes of other threads when main returns");
  add_choice<bool>(app, "--isolate", n.isolate, {{"none", false}, {"fork", true}},
                   "runs share a process that is reset in between, or have one each");
  app.add_flag("--spurious-wakeups", n.spurious_wakeups, "condition variables have them");
  app.add_option("--nondet", n.nondet, "values of __VERIFIER_nondet functions")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--max-steps", n.max_steps, "what a run may take before it counts as endless")
      ->check(CLI::Range(1U, abi::max_steps))
      ->capture_default_str();
  app.add_option("--executions", n.explore.max_executions, "stop after so many")
      ->check(not_negative);
  app.add_flag("--all-visible", n.all_visible, "every plain access is an event (slow)");
  app.add_flag("--keep-going", n.keep_going, "after a finding, to collect all");
  app.add_flag("--random", options->random, "explore in random order");
  app.add_option("--seed", n.explore.seed, "of the random order")->capture_default_str();
  app.add_flag("--json", options->json, "print the result as JSON");
  app.add_option("--schedule", options->schedule,
                 "run this schedule only, and show its steps (@FILE reads it)");
  return [options] { return run(*options); };
}

}  // namespace heddle::cli
