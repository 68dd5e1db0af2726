#include "cli/model_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/check.hpp"
#include "base/files.hpp"
#include "base/resources.hpp"
#include "cli/jobs.hpp"
#include "interp/families.hpp"
#include "interp/text.hpp"
#include "parallel/alternation.hpp"
#include "parallel/control.hpp"

namespace heddle::cli {
namespace {

std::string family_names() {
  std::string out;
  for (const interp::Family& family : interp::families())
    out += fmt::format("{}{}", out.empty() ? "" : ", ", family.name);
  return out;
}

using MayContinue = std::function<bool(const parallel::Progress&)>;

ModelResult explore_while(const MayContinue& may_continue, const Arguments& arguments,
                          const Algorithm& algorithm, const interp::Program& program,
                          FinalStates final_states) {
  const bool final = final_states == FinalStates::yes;
  const unsigned engines = algorithm.is_divisible() ? engines_of(arguments) : 1;
  ExploreOptions how = arguments.exploration.explore;
  how.most_memory_kb /= engines;  // of all of them together
  interp::ModelEngine engine(program, algorithm, how, final);
  parallel::Control control;
  control.divisible = algorithm.is_divisible();
  control.engines = engines;
  control.resumable = false;
  if (may_continue) control.may_continue = may_continue;
  if (algorithm.by_state) control.division.in_common = parallel::states_in_common;
  if (how.max_executions != 0) control.most_runs = how.max_executions;
  ModelResult out;
  out.algorithm = &algorithm;
  std::vector<parallel::Item> open = {{}};
  const Stopwatch watch;
  const auto end = parallel::explore(
      engine, [&] { return std::make_unique<interp::ModelEngine>(program, algorithm, how, final); },
      control, open, out.overhead);
  for (const parallel::Item& item : open)
    if (!item.partial.is_null()) engine.add(item.partial);
  out.seconds = watch.seconds();
  out.complete = end == parallel::Engine::End::complete;
  out.brought = std::move(engine.brought());
  print_overhead(arguments, out.overhead, out.counts());
  return out;
}

}  // namespace

bool is_built_in(const std::string& name) { return interp::find_family(name) != nullptr; }

ModelProgram built_in_program(const std::string& name, std::optional<std::uint64_t> wanted) {
  const interp::Family* family = interp::find_family(name);
  if (family == nullptr)
    throw Misuse(
        fmt::format("unknown model program '{}' (expected one of: {})", name, family_names()));
  if (!family->sized) {
    if (wanted) throw Misuse(fmt::format("{} has no size", name));
    return {family->make(0), name, std::nullopt};
  }
  const auto least = static_cast<std::uint64_t>(family->min_size);
  const auto most = static_cast<std::uint64_t>(family->max_size);
  const auto size = wanted.value_or(static_cast<std::uint64_t>(family->default_size));
  if (size < least || size > most)
    throw Misuse(fmt::format("{} has sizes from {} to {}, not {}", name, least, most, size));
  return {family->make(static_cast<int>(size)), name, size};
}

ModelProgram program_in_file(const std::string& path) {
  return {interp::parse_program(read_file(path)), path, std::nullopt};
}

report::Json model_json(const ModelProgram& chosen) {
  report::Json out = report::json_of("model");
  out["program"] = chosen.name;
  out["size"] = chosen.size ? report::Json(*chosen.size) : report::Json();
  return out;
}

ModelResult explore_model(const Arguments& arguments, const Algorithm& algorithm,
                          const interp::Program& program, FinalStates final_states) {
  return explore_while({}, arguments, algorithm, program, final_states);
}

// What was stopped is begun again: model programs are small.
ModelResult explore_model(const Arguments& arguments, const interp::Program& program,
                          FinalStates final_states) {
  if (arguments.algorithm != automatic)
    return explore_model(arguments, *find_algorithm(arguments.algorithm), program, final_states);
  const Algorithm &observers = *find_algorithm("observers"), &merging = *find_algorithm("merging");
  if (arguments.exploration.explore.max_executions != 0)
    return explore_model(arguments, observers, program, final_states);
  const Stopwatch all;
  const auto timed = [&](ModelResult out) {
    out.seconds = all.seconds();
    return out;
  };
  for (parallel::Alternation turns;; turns.next()) {
    Stopwatch watch;
    double rest = 0;
    const auto until_turn_ends = [&](const parallel::Progress& p) {
      if (watch.seconds() <= turns.turn()) return true;
      const auto runs = static_cast<double>(std::max<std::uint64_t>(p.counts.runs(), 1));
      rest = (p.outlook() - runs) * watch.seconds() / runs;
      return false;
    };
    ModelResult out = explore_while(until_turn_ends, arguments, observers, program, final_states);
    if (out.complete) return timed(std::move(out));
    if (!turns.is_others_turn(rest)) continue;
    watch = Stopwatch();
    const auto until_hopeless = [&](const parallel::Progress& p) {
      return watch.seconds() <= turns.turn() && !turns.is_hopeless(p.counts);
    };
    out = explore_while(until_hopeless, arguments, merging, program, final_states);
    if (out.complete) return timed(std::move(out));
  }
}

}  // namespace heddle::cli
