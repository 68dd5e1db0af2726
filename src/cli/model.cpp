// heddle model: the papers' examples and benchmark families, and programs given as text.
#include <fmt/format.h>

#include "base/check.hpp"
#include "base/resources.hpp"
#include "cli/command.hpp"
#include "cli/model_program.hpp"
#include "interp/families.hpp"
#include "interp/machine.hpp"
#include "interp/oracle.hpp"
#include "interp/text.hpp"
#include "report/json.hpp"

namespace heddle::cli {
namespace {

using interp::ModelMachine;
using interp::Program;

constexpr std::uint64_t most_oracle_states = 2'000'000;

ModelProgram choose(const Arguments& arguments) {
  const std::string name = arguments.operands.empty() ? "" : arguments.operands[0];
  if (!arguments.file.empty()) {
    if (!name.empty()) throw Misuse("give a model program's name or --file, not both");
    if (arguments.size) throw Misuse("--size is for built-in model programs, not for --file");
    return program_in_file(arguments.file);
  }
  if (name.empty())
    throw Misuse("which model program? (heddle model --list shows them; --file reads one)");
  return built_in_program(name, arguments.size);
}

void list() {
  for (const interp::Family& family : interp::families()) {
    const std::string sizes = family.sized ? fmt::format("{}..{}, default {}", family.min_size,
                                                         family.max_size, family.default_size)
                                           : "-";
    fmt::print("{:<32}{:<24}{}\n", family.name, sizes, family.summary);
  }
}

void list_as_json() {
  report::Json out = report::json_of("model");
  out["programs"] = report::Json::array();
  for (const interp::Family& family : interp::families()) {
    report::Json one = {{"name", family.name}, {"summary", family.summary}, {"sizes", nullptr}};
    if (family.sized)
      one["sizes"] = {
          {"least", family.min_size}, {"most", family.max_size}, {"default", family.default_size}};
    out["programs"].push_back(std::move(one));
  }
  report::print(out);
}

void show(const ModelProgram& chosen) { fmt::print("{}", interp::print_program(chosen.program)); }

void show_as_json(const ModelProgram& chosen) {
  report::Json out = model_json(chosen);
  out["text"] = interp::print_program(chosen.program);
  report::print(out);
}

using Lost = std::optional<std::size_t>;

// How many of the outcomes that brute force finds are missing.
Lost compare_with_oracle(const Algorithm& algorithm, const Program& program,
                         ModelResult& explored) {
  ModelMachine machine(program);
  const auto all = interp::all_outcomes(machine, most_oracle_states);
  if (!all)
    throw Misuse(fmt::format("more than {} states are too many for --oracle: use a smaller --size",
                             most_oracle_states));
  const auto races = interp::all_races(machine, most_oracle_states);
  if (!races || !races->empty())
    throw Misuse("--oracle is for programs without data races: what they do then is not defined");
  const bool exact = algorithm.covers == Covers::final_states;
  std::size_t lost = 0;
  for (const std::uint64_t outcome : exact ? all->final_states : all->observed)
    lost += (exact ? explored.brought.final_states : explored.brought.observed).contains(outcome)
                ? 0
                : 1;
  return lost;
}

bool has_graph(const Algorithm& algorithm) { return algorithm.name == "merging"; }

bool is_vacuous(const ModelResult& explored) {
  return std::string_view(explored.verdict()) == "vacuous";
}

void print_json(const ModelProgram& chosen, const Algorithm& algorithm, ModelResult& explored,
                const Lost& lost) {
  const Counts& counts = explored.counts();
  report::Json out = model_json(chosen);
  out["algorithm"] = algorithm.name;
  if (is_vacuous(explored)) out["verdict"] = explored.verdict();
  out["complete"] = explored.complete;
  out["executions"] = counts.executions;
  out["blocked"] = counts.blocked;
  out["merged"] = counts.merged;
  out["transitions"] = counts.events;
  if (has_graph(algorithm)) {
    out["states"] = counts.states;
    out["edges"] = counts.edges;
  }
  out["outcomes"] = explored.brought.observed.size();
  out["deadlocks"] = counts.deadlocks;
  out["failures"] = counts.findings;
  out["schedule"] = explored.brought.failing.empty()
                        ? report::Json()
                        : report::Json(to_text(explored.brought.failing));
  out["seconds"] = explored.seconds;
  out["peak_rss_kb"] = peak_rss_kb() + explored.overhead.memory_kb;
  if (lost) out["lost"] = *lost;
  report::print(out);
}

void print_summary(const ModelProgram& chosen, const Algorithm& algorithm, ModelResult& explored,
                   const Lost& lost) {
  const Counts& counts = explored.counts();
  const std::string size = chosen.size ? fmt::format("({})", *chosen.size) : "";
  fmt::print("{}{}, {}: {}\n", chosen.name, size, algorithm.name, algorithm.summary);
  const auto row = [](const char* what, const std::string& value) {
    fmt::print("  {:<12} {}\n", what, value);
  };
  if (is_vacuous(explored))
    row("verdict", "vacuous: no run was complete, as assumptions do not hold");
  row("executions", fmt::format("{}{}", counts.executions,
                                explored.complete ? "" : " (stopped by --executions)"));
  if (counts.blocked != 0) row("blocked", fmt::format("{}", counts.blocked));
  if (counts.merged != 0) row("merged", fmt::format("{}", counts.merged));
  row("transitions", fmt::format("{}", counts.events));
  if (has_graph(algorithm))
    row("states", fmt::format("{}, with {} edges", counts.states, counts.edges));
  row("outcomes", fmt::format("{}", explored.brought.observed.size()));
  if (counts.deadlocks != 0) row("deadlocks", fmt::format("{}", counts.deadlocks));
  if (counts.findings != 0) row("failures", fmt::format("{}", counts.findings));
  if (!explored.brought.failing.empty()) row("the first", to_text(explored.brought.failing));
  if (lost) {
    const char* what = algorithm.covers == Covers::final_states ? "final state" : "outcome";
    row("lost",
        *lost == 0 ? "nothing" : fmt::format("{} {}{}", *lost, what, *lost == 1 ? "" : "s"));
  }
  row("time",
      fmt::format("{:.3f} s, {:.0f} executions a second", explored.seconds,
                  static_cast<double>(counts.executions) / std::max(explored.seconds, 1e-9)));
  row("memory", fmt::format("{} kB at most", peak_rss_kb() + explored.overhead.memory_kb));
  if (!algorithm.sound)
    fmt::print("This algorithm is kept for its published counts and can lose behaviours.\n");
}

}  // namespace

int run_model(const Arguments& arguments) {
  if (arguments.list) {
    (arguments.json ? list_as_json : list)();
    return exit_ok;
  }
  const ModelProgram chosen = choose(arguments);
  if (arguments.show) {
    (arguments.json ? show_as_json : show)(chosen);
    return exit_ok;
  }
  if (arguments.schedule) return replay_model(arguments, chosen);
  const Algorithm* const wanted = find_algorithm(arguments.algorithm);  // null: it is chosen
  if (arguments.exploration.explore.most_memory_kb != 0 && wanted != nullptr && !has_graph(*wanted))
    throw Misuse(
        "--memory is for --algorithm merging, which alone keeps states that it can forget");
  ModelResult explored = explore_model(arguments, chosen.program,
                                       arguments.oracle ? FinalStates::yes : FinalStates::no);
  const Algorithm& algorithm = *explored.algorithm;
  Lost lost;
  if (arguments.oracle) lost = compare_with_oracle(algorithm, chosen.program, explored);
  (arguments.json ? print_json : print_summary)(chosen, algorithm, explored, lost);
  if (lost.value_or(0) != 0 && algorithm.sound && explored.complete)
    throw Bug(fmt::format("{} lost {} of the program's outcomes", algorithm.name, *lost));
  const std::string_view verdict = explored.verdict();
  if (verdict == "finding") return exit_finding;
  return verdict == "verified" ? exit_ok : exit_incomplete;
}

}  // namespace heddle::cli
