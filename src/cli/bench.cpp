// heddle bench: measures the programs of the papers and others, and compares the counts with those
// in the papers.
#include "bench/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/check.hpp"
#include "bench/format.hpp"
#include "cli/command.hpp"
#include "cli/jobs.hpp"

namespace heddle::cli {
namespace {

using bench::Row;

// The programs that are named, or all those of the suite.
std::vector<const bench::Program*> chosen(const Arguments& arguments,
                                          const std::vector<bench::Program>& all) {
  std::vector<const bench::Program*> out;
  for (const std::string& name : arguments.operands) {
    const auto found = std::ranges::find(all, name, &bench::Program::name);
    if (found == all.end()) {
      std::string names;
      for (const bench::Program& p : all) names += (names.empty() ? "" : ", ") + p.name;
      throw Misuse(fmt::format("unknown program '{}' (expected one of: {})", name, names));
    }
    out.push_back(&*found);
  }
  if (out.empty())
    for (const bench::Program& p : all)
      if (p.suite == arguments.suite) out.push_back(&p);
  return out;
}

std::vector<const Algorithm*> chosen_algorithms(const Arguments& arguments) {
  std::vector<const Algorithm*> out;
  for (const std::string& name : arguments.algorithms) out.push_back(find_algorithm(name));
  if (out.empty())
    for (const Algorithm& a : algorithms())
      if (a.sound && a.name != "none") out.push_back(&a);
  return out;
}

int status_of(const std::vector<Row>& rows) {
  const auto any = [&](auto is) { return std::ranges::any_of(rows, is); };
  if (any([](const Row& r) {
        return r.measured.finding || r.compared.agreement == bench::Agreement::differs;
      }))
    return exit_finding;
  return any([](const Row& r) { return !r.measured.complete; }) ? exit_incomplete : exit_ok;
}

void print_overhead(const Arguments& arguments, const Row& row) {
  if (row.tried) print_overhead(arguments, row.measured.overhead, row.measured.counts);
}

void print_json(const std::vector<Row>& rows, double seconds) {
  report::Json out = report::json_of("bench");
  out["time"] = seconds;
  out["rows"] = report::Json::array();
  for (const Row& row : rows) out["rows"].push_back(to_json(row));
  report::print(out);
}

}  // namespace

int run_bench(const Arguments& arguments) {
  if (arguments.json && arguments.markdown)
    throw Misuse("'--json' and '--markdown' cannot be combined");
  const std::string directory = bench::directory();
  const std::vector<bench::Program> all = bench::read_suite(directory);
  const bench::Papers papers(directory);
  bench::Options options;
  options.programs = chosen(arguments, all);
  options.algorithms = chosen_algorithms(arguments);
  options.seconds = arguments.time;
  options.smallest = arguments.smallest;
  options.engines = engines_of(arguments);
  if (arguments.json) {
    options.on_row = [&](const Row& row) { print_overhead(arguments, row); };
    const std::vector<Row> rows = run(options, papers);
    print_json(rows, options.seconds);
    return status_of(rows);
  }
  using Style = bench::Table::Style;
  bench::Table table(arguments.markdown ? Style::markdown : Style::text, options);
  fmt::print("{}", table.head());
  options.on_row = [&](const Row& row) {
    fmt::print("{}", table.line(row));
    std::fflush(stdout);  // the next row may take a while
    print_overhead(arguments, row);
  };
  const std::vector<Row> rows = run(options, papers);
  fmt::print("{}", table.foot(rows, options.seconds));
  return status_of(rows);
}

}  // namespace heddle::cli
