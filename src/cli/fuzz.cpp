// heddle fuzz: every algorithm against brute force on random programs.
#include "interp/fuzz.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/check.hpp"
#include "cli/command.hpp"
#include "core/algorithm.hpp"
#include "interp/random_program.hpp"
#include "interp/text.hpp"
#include "report/json.hpp"

namespace heddle::cli {
namespace {

using interp::FuzzOptions;
using interp::FuzzReport;

void show_program(const interp::Program& program, std::string_view shape, std::uint64_t seed) {
  fmt::print("# {}, seed {}\n{}\n", shape, seed, interp::print_program(program));
}

// Prints the programs, and judges none.
void show_programs(FuzzOptions how, bool json) {
  if (!json) {
    how.on_program = show_program;
    interp::fuzz(how);
    return;
  }
  report::Json out = report::json_of("fuzz");
  out["shown"] = report::Json::array();
  how.on_program = [&](const interp::Program& program, std::string_view shape, std::uint64_t seed) {
    out["shown"].push_back(
        {{"shape", shape}, {"seed", seed}, {"program", interp::print_program(program)}});
  };
  interp::fuzz(how);
  report::print(out);
}

void show_progress(const FuzzReport& report) {
  fmt::print(stderr, "\r{:.0f} s, {} programs, {} traces", report.seconds, report.programs,
             report.traces);
}

void print_json(const FuzzReport& report) {
  report::Json out = report::json_of("fuzz");
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
  report::print(out);
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

}  // namespace

int run_fuzz(const Arguments& arguments) {
  if (arguments.show && arguments.programs == 0)
    throw Misuse("--show takes --programs: how many to print");
  if (arguments.native) return run_fuzz_native(arguments);
  if (!arguments.shape.empty() &&
      std::ranges::count(interp::shapes(), arguments.shape, &interp::Shape::name) == 0)
    throw Misuse(
        fmt::format("'{}' is a shape of compiled programs: give --native, too", arguments.shape));
  FuzzOptions how;
  how.seconds = arguments.seconds;
  how.seed = arguments.seed;
  how.max_programs = arguments.programs;
  for (const std::string& name : arguments.algorithms)
    how.algorithms.push_back(find_algorithm(name));
  how.shape = arguments.shape;
  if (arguments.show) {
    show_programs(how, arguments.json);
    return exit_ok;
  }
  const bool live = isatty(STDERR_FILENO) != 0 && !arguments.json;
  if (live) how.on_progress = show_progress;
  const FuzzReport report = interp::fuzz(how);
  if (live) fmt::print(stderr, "\r\033[K");
  (arguments.json ? print_json : print_summary)(report);
  return report.failure ? exit_finding : exit_ok;
}

}  // namespace heddle::cli
