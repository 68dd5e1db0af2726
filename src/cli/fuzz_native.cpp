// heddle fuzz --native: random programs, compiled and explored in every way.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>

#include "base/check.hpp"
#include "base/files.hpp"
#include "cli/command.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/generate.hpp"
#include "fuzz/source.hpp"
#include "report/json.hpp"

namespace heddle::cli {
namespace {

using fuzz::FuzzOptions;
using fuzz::FuzzReport;

constexpr const char* interpreter_file = "heddle-fuzz";  // and a suffix

const char* suffix(const fuzz::Program& program) { return program.cxx ? ".cpp" : ".c"; }

void show_programs(FuzzOptions how, bool json) {
  report::Json out = report::json_of("fuzz");
  out["shown"] = report::Json::array();
  how.on_program = [&](const fuzz::Program& program, std::string_view shape, std::uint64_t seed) {
    const std::string source = fuzz::source_of(program);
    if (json)
      out["shown"].push_back({{"shape", shape}, {"seed", seed}, {"program", source}});
    else
      fmt::print("// {}, seed {}; {}\n{}\n", shape, seed,
                 fmt::join(fuzz::compiler_options(program), " "), source);
  };
  fuzz::fuzz(how);
  if (json) report::print(out);
}

void show_progress(const FuzzReport& report) {
  fmt::print(stderr, "\r{:.0f} s, {} programs, {} executions", report.seconds, report.programs,
             report.executions);
}

// The commands that show both sides of the difference: the default, and the mode that differs.
std::vector<std::string> commands(const FuzzReport& report) {
  const fuzz::Program& program = report.differing[0];
  const auto command = [&](fuzz::Bound bound, std::string_view options, int level) {
    fuzz::Program built = program;
    if (level != 0) built.level = program.level == level ? 1 : level;
    std::string out = fmt::format("heddle check {}{} {}", program.alone ? "p" : interpreter_file,
                                  suffix(program), fmt::join(fuzz::compiler_options(built), " "));
    if (bound != 0) out += program.alone ? fmt::format(" -DBOUND={}", bound) : " -DBOUND=bound";
    out += " --keep-going --outcomes";
    if (!options.empty()) out += fmt::format(" {}", options);
    if (!program.alone) out += fmt::format(" -- '{}' {}", fuzz::data_of(report.differing), bound);
    return out;
  };
  const fuzz::Difference& d = *report.difference;
  return {command(0, "", 0), command(d.bound, d.mode->options, d.mode->level)};
}

std::string sources(const FuzzReport& report) {
  std::string out;
  for (const fuzz::Program& p : report.differing)
    out += fmt::format("{}{}", out.empty() ? "" : "\n", fuzz::source_of(p));
  return out;
}

void print_json(const FuzzReport& report) {
  report::Json out = report::json_of("fuzz");
  out["programs"] = report.programs;
  out["too_large"] = report.too_large;
  out["compiled"] = report.compiled;
  out["explorations"] = report.explorations;
  out["executions"] = report.executions;
  out["compared_waits"] = report.compared_waits;
  out["seconds"] = report.seconds;
  if (report.difference) {
    const fuzz::Difference& d = *report.difference;
    out["difference"] = {{"what", d.what},
                         {"mode", d.mode->name},
                         {"shape", report.shape},
                         {"seed", report.program_seed},
                         {"seconds", report.found_after},
                         {"program", sources(report)},
                         {"outcomes", d.got.outcomes},
                         {"expected", d.expected.outcomes},
                         {"commands", commands(report)}};
  }
  report::print(out);
}

void print_difference(const FuzzReport& report) {
  const fuzz::Difference& d = *report.difference;
  fmt::print("\nheddle {}, compared with: {} (shape: {}, seed {}, after {:.1f} s).\n", d.what,
             d.mode->name, report.shape, report.program_seed, report.found_after);
  fmt::print("  outcomes:      {}\n  compared with: {}\n", fmt::join(d.got.outcomes, ", "),
             fmt::join(d.expected.outcomes, ", "));
  const fuzz::Program& program = report.differing[0];
  const bool one = report.differing.size() == 1;
  fmt::print("{}, made as small as it can be:\n\n{}\n",
             one ? "The program" : "Several programs, none of which shows it by itself; the set",
             sources(report));
  if (program.alone) {
    fmt::print("To see it, save it as p{}:\n", suffix(program));
  } else {
    const std::string file = std::string(interpreter_file) + suffix(program);
    write_file(file, fuzz::interpreter_source(program.cxx));
    fmt::print("{} not show the difference; as data of the interpreter, which is now in {}, {}:\n",
               one ? "Compiled for itself, it does" : "Compiled for themselves, they do", file,
               one ? "it does" : "they do");
  }
  fmt::print("  {}\n", fmt::join(commands(report), "\n  "));
}

void print_summary(const FuzzReport& report) {
  fmt::print(
      "{} programs ({} too large), {} explorations, {} executions, compiled {} times, {:.0f} s\n",
      report.programs, report.too_large, report.explorations, report.executions, report.compiled,
      report.seconds);
  fmt::print("  loops that wait, compared with the same loops bounded: {} of {} kinds\n",
             report.compared_waits,
             std::ranges::count(fuzz::kinds(), fuzz::Role::waits, &fuzz::Kind::role));
  if (report.difference)
    print_difference(report);
  else
    fmt::print("All ways to explore them came to the same.\n");
}

}  // namespace

int run_fuzz_native(const Arguments& arguments) {
  if (!arguments.algorithms.empty())
    throw Misuse("--algorithm is for model programs: with --native, all are compared");
  if (!arguments.shape.empty() &&
      std::ranges::count(fuzz::shapes(), arguments.shape, &fuzz::Shape::name) == 0)
    throw Misuse(
        fmt::format("'{}' is a shape of model programs: leave out --native", arguments.shape));
  FuzzOptions how;
  how.seconds = arguments.seconds;
  how.seed = arguments.seed;
  how.max_programs = arguments.programs;
  how.shape = arguments.shape;
  if (arguments.show) {
    show_programs(how, arguments.json);
    return exit_ok;
  }
  const bool live = isatty(STDERR_FILENO) != 0 && !arguments.json;
  if (live) how.on_progress = show_progress;
  const FuzzReport report = fuzz::fuzz(how);
  if (live) fmt::print(stderr, "\r\033[K");
  (arguments.json ? print_json : print_summary)(report);
  return report.difference ? exit_finding : exit_ok;
}

}  // namespace heddle::cli
