// heddle fuzz: every algorithm against brute force on random programs.
#include "interp/fuzz.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/check.hpp"
#include "cli/command.hpp"
#include "cli/names.hpp"
#include "interp/text.hpp"

namespace heddle::cli {
namespace {

using interp::FuzzOptions;
using interp::FuzzReport;

struct Options {
  double seconds = 60;
  std::uint64_t seed = 1, programs = 0;
  std::vector<std::string> algorithms;
  std::string shape;
  bool json = false;
};

void show_progress(const FuzzReport& report) {
  fmt::print(stderr, "\r{:.0f} s, {} programs, {} traces", report.seconds, report.programs,
             report.traces);
}

void print_json(const FuzzReport& report) {
  nlohmann::ordered_json out;
  out["programs"] = report.programs;
  out["traces"] = report.traces;
  out["seconds"] = report.seconds;
  for (const auto& [name, counts] : report.by_algorithm) {
    auto& own = out["algorithms"][name];
    own["executions"] = counts.executions;
    own["blocked"] = counts.blocked;
    own["merged"] = counts.merged;
    own["lossy_programs"] = counts.lossy_programs;
  }
  if (report.failure) {
    auto& failure = out["failure"];
    failure["algorithm"] = report.failure->algorithm;
    failure["what"] = report.failure->what;
    failure["shape"] = report.shape;
    failure["seed"] = report.program_seed;
    failure["program"] = interp::print_program(report.program);
  }
  fmt::print("{}\n", out.dump(2));
}

void print_summary(const FuzzReport& report) {
  fmt::print("{} programs, {} traces, {:.0f} s\n", report.programs, report.traces, report.seconds);
  for (const auto& [name, counts] : report.by_algorithm) {
    fmt::print("  {:<38}executions {:>9}  blocked {:>8}  merged {:>8}", name, counts.executions,
               counts.blocked, counts.merged);
    if (counts.lossy_programs != 0)
      fmt::print("  lost outcomes of {} programs", counts.lossy_programs);
    fmt::print("\n");
  }
  if (!report.failure) {
    fmt::print("Nothing found against the sound algorithms.\n");
    return;
  }
  fmt::print("\n{} {} (shape: {}, seed {}). The program, made as small as it can be:\n\n{}",
             report.failure->algorithm, report.failure->what, report.shape, report.program_seed,
             interp::print_program(report.program));
  fmt::print("\nTo run it: save it as p.txt; heddle model --file p.txt --oracle --algorithm {}\n",
             report.failure->algorithm);
}

int run(const Options& options) {
  if (!(options.seconds > 0)) throw Misuse("--seconds takes a positive number");
  FuzzOptions how;
  how.seconds = options.seconds;
  how.seed = options.seed;
  how.max_programs = options.programs;
  for (const std::string& name : options.algorithms)
    how.algorithms.push_back(&algorithm_named(name));
  if (!options.shape.empty()) how.shape = shape_named(options.shape).name;
  const bool live = isatty(STDERR_FILENO) != 0 && !options.json;
  if (live) how.on_progress = show_progress;
  const FuzzReport report = interp::fuzz(how);
  if (live) fmt::print(stderr, "\r\033[K");
  (options.json ? print_json : print_summary)(report);
  return report.failure ? exit_finding : exit_ok;
}

}  // namespace

Action set_up_fuzz(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("--seconds", options->seconds, "how long")->capture_default_str();
  app.add_option("--programs", options->programs, "stop after so many programs")
      ->check(not_negative);
  app.add_option("--seed", options->seed, "another seed gives other programs")
      ->capture_default_str();
  app.add_option("--algorithm", options->algorithms,
                 "which, one or more (default: all): " + algorithm_names());
  app.add_option("--shape", options->shape,
                 "programs of one shape only (default: all): " + shape_names());
  app.add_flag("--json", options->json, "print the result as JSON");
  return [options] { return run(*options); };
}

}  // namespace heddle::cli
