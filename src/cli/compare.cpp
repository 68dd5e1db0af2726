// heddle compare: one program, every algorithm that loses nothing.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "base/check.hpp"
#include "base/files.hpp"
#include "cli/command.hpp"
#include "cli/jobs.hpp"
#include "cli/model_program.hpp"
#include "cli/program.hpp"
#include "native/build.hpp"
#include "report/json.hpp"

namespace heddle::cli {
namespace {

struct Row {
  std::string_view algorithm;
  std::string verdict;
  Counts counts;
  double seconds;
};

using Explore = std::function<Row(const Algorithm&)>;

template <typename Takes>
std::vector<Row> explore_all(Takes takes, const Explore& explore) {
  std::vector<Row> rows;
  for (const Algorithm& a : algorithms())
    if (a.sound && takes(a)) rows.push_back(explore(a));
  return rows;
}

std::vector<Row> compare_model(const Arguments& arguments, const interp::Program& program) {
  const auto all = [](const Algorithm&) { return true; };
  return explore_all(all, [&](const Algorithm& a) -> Row {
    const ModelResult r = explore_model(arguments, a, program, FinalStates::no);
    return {a.name, r.verdict(), r.counts(), r.seconds};
  });
}

std::vector<Row> compare_native(const Arguments& arguments, const std::string& program) {
  native::Options options = native_options(arguments, program);
  options.keep_going = true;  // otherwise the counts would depend on where the first finding is
  // Running every interleaving, starts and ends of threads included, takes too long for all but the
  // smallest programs.
  const auto takes = [](const Algorithm& a) { return is_for_compiled(a) && a.name != "none"; };
  return explore_all(takes, [&](const Algorithm& a) -> Row {
    const native::Report r = native::explore(a, options);
    print_overhead(arguments, r.overhead, r.counts);
    return {a.name, r.verdict(), r.counts, r.seconds};
  });
}

void print_table(const std::string& program, const std::vector<Row>& rows) {
  fmt::print("{}\n  {:<14}{:<12}{:>12}{:>12}{:>12}{:>14}  time\n", program, "algorithm", "verdict",
             "executions", "blocked", "merged", "events");
  for (const Row& r : rows)
    fmt::print("  {:<14}{:<12}{:>12}{:>12}{:>12}{:>14}  {:.3f} s\n", r.algorithm, r.verdict,
               r.counts.executions, r.counts.blocked, r.counts.merged, r.counts.events, r.seconds);
}

void print_json(const std::string& program, const std::vector<Row>& rows) {
  report::Json out = report::json_of("compare");
  out["program"] = program;
  out["algorithms"] = report::Json::array();
  for (const Row& r : rows)
    out["algorithms"].push_back({{"algorithm", r.algorithm},
                                 {"verdict", r.verdict},
                                 {"executions", r.counts.executions},
                                 {"blocked", r.counts.blocked},
                                 {"merged", r.counts.merged},
                                 {"events", r.counts.events},
                                 {"seconds", r.seconds}});
  report::print(out);
}

// An exploration that was stopped does not contradict one that has a finding.
int status_of(const std::vector<Row>& rows) {
  const auto with = [&](std::string_view verdict) {
    return std::ranges::find(rows, verdict, &Row::verdict);
  };
  // The algorithms must agree on these.
  const Row* complete = nullptr;
  for (const std::string_view verdict : {"finding", "verified", "vacuous"}) {
    const auto row = with(verdict);
    if (row == rows.end()) continue;
    if (complete != nullptr)
      throw Bug(fmt::format("{} says {}, and {} says {}", complete->algorithm, complete->verdict,
                            row->algorithm, row->verdict));
    complete = &*row;
  }
  if (complete != nullptr && complete->verdict == "finding") return exit_finding;
  const bool open = with("incomplete") != rows.end() || with("vacuous") != rows.end();
  return open ? exit_incomplete : exit_ok;
}

int compare(const Arguments& arguments, const std::string& program, const std::vector<Row>& rows) {
  (arguments.json ? print_json : print_table)(program, rows);
  return status_of(rows);
}

}  // namespace

int run_compare(const Arguments& arguments) {
  const std::vector<std::string>& words = arguments.operands;
  if (!arguments.model.empty()) {
    if (!words.empty()) throw Misuse("give files or --model, not both");
    const ModelProgram chosen = is_built_in(arguments.model) || arguments.size
                                    ? built_in_program(arguments.model, arguments.size)
                                    : program_in_file(arguments.model);
    return compare(arguments, chosen.name, compare_model(arguments, chosen.program));
  }
  if (arguments.size) throw Misuse("--size is for model programs (--model)");
  if (words.size() == 1 && native::is_executable(words[0]))
    return compare(arguments, words[0], compare_native(arguments, words[0]));
  const TemporaryDirectory directory;
  const std::string name = native::program_name(words);
  const std::string program = (directory.path() / name).string();
  native::build(words, program);
  return compare(arguments, name, compare_native(arguments, program));
}

}  // namespace heddle::cli
