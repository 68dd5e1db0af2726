// heddle model: the papers' examples and benchmark families, and programs given as text.
#include <fmt/format.h>

#include "base/check.hpp"
#include "base/files.hpp"
#include "base/resources.hpp"
#include "cli/command.hpp"
#include "cli/model_program.hpp"
#include "interp/families.hpp"
#include "interp/oracle.hpp"
#include "interp/runner.hpp"
#include "interp/text.hpp"
#include "report/json.hpp"

namespace heddle::cli {
namespace {

using interp::ModelMachine;
using interp::ModelRunner;
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

int list() {
  for (const interp::Family& family : interp::families()) {
    const std::string sizes = family.sized ? fmt::format("{}..{}, default {}", family.min_size,
                                                         family.max_size, family.default_size)
                                           : "-";
    fmt::print("{:<32}{:<24}{}\n", family.name, sizes, family.summary);
  }
  return exit_ok;
}

using Lost = std::optional<std::size_t>;

// How many of the outcomes that brute force finds are missing.
Lost compare_with_oracle(const Algorithm& algorithm, const Program& program,
                         const ModelResult& explored) {
  ModelMachine machine(program);
  const auto all = interp::all_outcomes(machine, most_oracle_states);
  if (!all)
    throw Misuse(fmt::format("more than {} states are too many for --oracle: use a smaller --size",
                             most_oracle_states));
  const bool exact = algorithm.covers == Covers::final_states;
  std::size_t lost = 0;
  for (const std::uint64_t outcome : exact ? all->final_states : all->observed)
    lost += (exact ? explored.final_states : explored.observed).contains(outcome) ? 0 : 1;
  return lost;
}

void print_json(const ModelProgram& chosen, const Algorithm& algorithm, const ModelResult& explored,
                const Lost& lost) {
  const Counts& counts = explored.result.counts;
  report::Json out = report::json_of("model");
  out["program"] = chosen.name;
  out["size"] = chosen.size ? report::Json(*chosen.size) : report::Json();
  out["algorithm"] = algorithm.name;
  out["complete"] = explored.result.complete;
  out["executions"] = counts.executions;
  out["blocked"] = counts.blocked;
  out["merged"] = counts.merged;
  out["transitions"] = counts.transitions;
  out["outcomes"] = explored.observed.size();
  out["deadlocks"] = counts.deadlocks;
  out["failures"] = counts.findings;
  out["schedule"] =
      explored.failing.empty() ? report::Json() : report::Json(to_text(explored.failing));
  out["seconds"] = explored.seconds;
  out["peak_rss_kb"] = peak_rss_kb();
  if (lost) out["lost"] = *lost;
  report::print(out);
}

void print_summary(const ModelProgram& chosen, const Algorithm& algorithm,
                   const ModelResult& explored, const Lost& lost) {
  const Counts& counts = explored.result.counts;
  const std::string size = chosen.size ? fmt::format("({})", *chosen.size) : "";
  fmt::print("{}{}, {}: {}\n", chosen.name, size, algorithm.name, algorithm.summary);
  const auto row = [](const char* what, const std::string& value) {
    fmt::print("  {:<12} {}\n", what, value);
  };
  row("executions", fmt::format("{}{}", counts.executions,
                                explored.result.complete ? "" : " (stopped by --executions)"));
  if (counts.blocked != 0) row("blocked", fmt::format("{}", counts.blocked));
  if (counts.merged != 0) row("merged", fmt::format("{}", counts.merged));
  row("transitions", fmt::format("{}", counts.transitions));
  row("outcomes", fmt::format("{}", explored.observed.size()));
  if (counts.deadlocks != 0) row("deadlocks", fmt::format("{}", counts.deadlocks));
  if (counts.findings != 0) row("failures", fmt::format("{}", counts.findings));
  if (!explored.failing.empty()) row("the first", to_text(explored.failing));
  if (lost) {
    const char* what = algorithm.covers == Covers::final_states ? "final state" : "outcome";
    row("lost",
        *lost == 0 ? "nothing" : fmt::format("{} {}{}", *lost, what, *lost == 1 ? "" : "s"));
  }
  row("time",
      fmt::format("{:.3f} s, {:.0f} executions a second", explored.seconds,
                  static_cast<double>(counts.executions) / std::max(explored.seconds, 1e-9)));
  row("memory", fmt::format("{} kB at most", peak_rss_kb()));
  if (!algorithm.sound)
    fmt::print("This algorithm is kept for its published counts and can lose behaviours.\n");
}

// With a space before it; nothing for threads and mailboxes.
std::string name_of_object(const Program& program, Location location) {
  if (location >= program.objects.size()) return "";
  const interp::Object& object = program.objects[location];
  return object.length > 1 ? fmt::format(" {}[{}]", object.name, object.index) : " " + object.name;
}

std::string describe(const Program& program, const Footprints& footprints, const Event& event) {
  if (event.alternatives > 1)
    return fmt::format("choose {} of {}", event.move.alternative, event.alternatives);
  std::string what;
  for (const Access& a : footprints.accesses(event.footprint))
    what += fmt::format("{}{}{}", what.empty() ? "" : ", ", name_of(a.mode),
                        name_of_object(program, a.location));
  return what.empty() ? "-" : what;
}

// Runs one schedule and shows what it did.
int replay(const std::string& given, const ModelProgram& chosen) {
  const Schedule schedule =
      parse_schedule(given.starts_with("@") ? read_file(given.substr(1)) : given);
  ModelRunner runner(chosen.program);
  runner.submit({schedule});
  const Log& log = runner.next();
  if (log.ending == Ending::misfit)
    throw Misuse(fmt::format("the schedule does not fit {}: step {}: {}", chosen.name,
                             log.misfit_at + 1, log.misfit));
  const Program& program = chosen.program;
  for (std::size_t k = 0; k < log.events.size(); ++k)
    fmt::print("{:>4} {} {:<8} {}\n", k + 1, k < schedule.size() ? " " : "+",
               program.threads[log.events[k].move.thread].name,
               describe(program, runner.footprints(), log.events[k]));
  for (const Pending& p : log.pending) {
    if (p.at < log.events.size()) continue;
    const Access& wanted = runner.footprints().accesses(p.footprint)[0];
    fmt::print("     {} waits: {}{}\n", program.threads[p.thread].name, name_of(wanted.mode),
               name_of_object(program, wanted.location));
  }
  if (log.finding) fmt::print("     a claim does not hold, or memory or a lock is misused\n");
  return log.ending == Ending::deadlock || log.finding ? exit_finding : exit_ok;
}

}  // namespace

int run_model(const Arguments& arguments) {
  if (arguments.list) return list();
  const ModelProgram chosen = choose(arguments);
  if (arguments.show) {
    fmt::print("{}", interp::print_program(chosen.program));
    return exit_ok;
  }
  if (arguments.schedule) return replay(*arguments.schedule, chosen);
  const Algorithm& algorithm = *find_algorithm(arguments.algorithm);
  const ModelResult explored = explore_model(arguments, algorithm, chosen.program,
                                             arguments.oracle ? FinalStates::yes : FinalStates::no);
  Lost lost;
  if (arguments.oracle) lost = compare_with_oracle(algorithm, chosen.program, explored);
  (arguments.json ? print_json : print_summary)(chosen, algorithm, explored, lost);
  if (lost.value_or(0) != 0 && algorithm.sound && explored.result.complete)
    throw Bug(fmt::format("{} lost {} of the program's outcomes", algorithm.name, *lost));
  if (explored.has_finding()) return exit_finding;
  return explored.result.complete ? exit_ok : exit_incomplete;
}

}  // namespace heddle::cli
