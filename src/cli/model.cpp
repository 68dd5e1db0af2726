// heddle model: the papers' examples and benchmark families, and programs given as text.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>

#include "base/check.hpp"
#include "base/resources.hpp"
#include "cli/command.hpp"
#include "cli/names.hpp"
#include "interp/oracle.hpp"
#include "interp/runner.hpp"
#include "interp/text.hpp"

namespace heddle::cli {
namespace {

using interp::ModelMachine;
using interp::ModelRunner;
using interp::Program;

constexpr std::uint64_t most_oracle_states = 2'000'000;

struct Options {
  std::string name, file, algorithm = "observers", order = "leftmost";
  std::optional<std::string> schedule;
  std::optional<int> size;
  std::uint64_t seed = 1, executions = 0;
  bool list = false, json = false, oracle = false, show = false;
};

struct Chosen {
  Program program;
  std::string name;
  std::optional<int> size;
};

Chosen choose(const Options& options) {
  if (!options.file.empty()) {
    if (!options.name.empty()) throw Misuse("give a model program's name or --file, not both");
    if (options.size) throw Misuse("--size is for built-in model programs, not for --file");
    return {interp::parse_program(read_file(options.file)), options.file, std::nullopt};
  }
  if (options.name.empty())
    throw Misuse("which model program? (heddle model --list shows them; --file reads one)");
  const interp::Family& family = family_named(options.name);
  if (!family.sized) {
    if (options.size) throw Misuse(fmt::format("{} has no size", family.name));
    return {family.make(0), options.name, std::nullopt};
  }
  const int size = options.size.value_or(family.default_size);
  if (size < family.min_size || size > family.max_size)
    throw Misuse(fmt::format("{} has sizes from {} to {}, not {}", family.name, family.min_size,
                             family.max_size, size));
  return {family.make(size), options.name, size};
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

struct Explored {
  Result result;
  std::unordered_set<std::uint64_t> observed, final_states;
  double seconds = 0;
  std::optional<std::size_t> lost;
  Schedule failing;  // of the first run with a deadlock or a failure
};

Explored explore(const Options& options, const Program& program) {
  const Algorithm& algorithm = algorithm_named(options.algorithm);
  ExploreOptions how;
  how.seed = options.seed;
  how.max_executions = options.executions;
  if (options.order == "random")
    how.order = ExploreOptions::Pick::random;
  else if (options.order != "leftmost")
    throw Misuse(fmt::format("there is no order '{}'; there are: leftmost, random", options.order));
  if (how.order == ExploreOptions::Pick::random && !algorithm.any_order)
    throw Misuse(
        fmt::format("{} has one order only; optimal and observers can run in any", algorithm.name));
  ModelRunner runner(program);
  ModelMachine machine(program);
  Explored out;
  how.on_run = [&](const Log& log) {
    out.observed.insert(log.observed);
    if (out.failing.empty() && (log.ending == Ending::deadlock || log.finding))
      for (const Event& e : log.events) out.failing.push_back(e.move);
    if (options.oracle) out.final_states.insert(log.final_state);
  };
  const Stopwatch watch;
  out.result = algorithm.explore({runner, &machine}, how);
  out.seconds = watch.seconds();
  if (!options.oracle) return out;
  const auto all = interp::all_outcomes(machine, most_oracle_states);
  if (!all)
    throw Misuse(fmt::format("more than {} states are too many for --oracle: use a smaller --size",
                             most_oracle_states));
  const bool exact = algorithm.covers == Covers::final_states;
  out.lost = 0;
  for (const std::uint64_t outcome : exact ? all->final_states : all->observed)
    *out.lost += (exact ? out.final_states : out.observed).contains(outcome) ? 0 : 1;
  return out;
}

void print_json(const Options& options, const Chosen& chosen, const Explored& explored) {
  const Counts& counts = explored.result.counts;
  nlohmann::ordered_json out;
  out["program"] = chosen.name;
  out["size"] = chosen.size ? nlohmann::ordered_json(*chosen.size) : nlohmann::ordered_json();
  out["algorithm"] = options.algorithm;
  out["complete"] = explored.result.complete;
  out["executions"] = counts.executions;
  out["blocked"] = counts.blocked;
  out["merged"] = counts.merged;
  out["transitions"] = counts.transitions;
  out["outcomes"] = explored.observed.size();
  out["deadlocks"] = counts.deadlocks;
  out["seconds"] = explored.seconds;
  out["peak_rss_kb"] = peak_rss_kb();
  if (explored.lost) out["lost"] = *explored.lost;
  fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

void print_summary(const Options& options, const Chosen& chosen, const Explored& explored) {
  const Counts& counts = explored.result.counts;
  const Algorithm& algorithm = algorithm_named(options.algorithm);
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
  if (explored.lost) {
    const char* what = algorithm.covers == Covers::final_states ? "final state" : "outcome";
    row("lost", *explored.lost == 0
                    ? "nothing"
                    : fmt::format("{} {}{}", *explored.lost, what, *explored.lost == 1 ? "" : "s"));
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
int replay(const std::string& given, const Chosen& chosen) {
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

int run(const Options& options) {
  if (options.list) return list();
  const Chosen chosen = choose(options);
  if (options.show) {
    fmt::print("{}", interp::print_program(chosen.program));
    return exit_ok;
  }
  if (options.schedule) return replay(*options.schedule, chosen);
  const Explored explored = explore(options, chosen.program);
  (options.json ? print_json : print_summary)(options, chosen, explored);
  const Counts& counts = explored.result.counts;
  if (explored.lost.value_or(0) != 0 && algorithm_named(options.algorithm).sound &&
      explored.result.complete)
    throw Bug(
        fmt::format("{} lost {} of the program's outcomes", options.algorithm, *explored.lost));
  if (counts.deadlocks != 0 || counts.findings != 0) return exit_finding;
  return explored.result.complete ? exit_ok : exit_incomplete;
}

}  // namespace

Action set_up_model(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("name", options->name, "which model program (see --list)");
  app.add_option("--file", options->file, "a program as text, instead of a built-in one");
  app.add_option("--size", options->size, "its size");
  app.add_option("--algorithm", options->algorithm, algorithm_names())->capture_default_str();
  app.add_option("--order", options->order, "which branch goes first: leftmost, random")
      ->capture_default_str();
  app.add_option("--seed", options->seed, "of the random order")
      ->check(not_negative)
      ->capture_default_str();
  app.add_option("--executions", options->executions, "stop after so many, blocked ones included")
      ->check(not_negative);
  app.add_flag("--oracle", options->oracle, "compare the outcomes with brute force");
  app.add_flag("--json", options->json, "print the result as JSON");
  app.add_flag("--list", options->list, "show the built-in model programs");
  app.add_flag("--show", options->show, "print the program as text, and do not run it");
  app.add_option("--schedule", options->schedule,
                 "run this schedule only, and show its steps (@FILE reads it)");
  return [options] { return run(*options); };
}

}  // namespace heddle::cli
