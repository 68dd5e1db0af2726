#include "cli/model_program.hpp"

#include <fmt/format.h>

#include "base/check.hpp"
#include "base/files.hpp"
#include "base/resources.hpp"
#include "interp/families.hpp"
#include "interp/runner.hpp"
#include "interp/text.hpp"

namespace heddle::cli {
namespace {

std::string family_names() {
  std::string out;
  for (const interp::Family& family : interp::families())
    out += fmt::format("{}{}", out.empty() ? "" : ", ", family.name);
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
  ExploreOptions how;
  how.seed = arguments.exploration.explore.seed;
  how.max_executions = arguments.exploration.explore.max_executions;
  how.order = arguments.exploration.explore.order;
  interp::ModelRunner runner(program);
  interp::ModelMachine machine(program);
  ModelResult out;
  how.on_run = [&](const Log& log) {
    out.observed.insert(log.observed);
    if (out.failing.empty() && (log.ending == Ending::deadlock || log.failed()))
      for (const Event& e : log.events) out.failing.push_back(e.move);
    if (final_states == FinalStates::yes) out.final_states.insert(log.final_state);
    return Decision::proceed;
  };
  const Stopwatch watch;
  out.result = algorithm.explore({runner, machine}, how);
  out.seconds = watch.seconds();
  return out;
}

}  // namespace heddle::cli
