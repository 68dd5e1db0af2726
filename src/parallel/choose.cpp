#include "parallel/choose.hpp"

#include "core/execution.hpp"

namespace heddle::parallel {
namespace {

constexpr std::uint64_t random_runs = 8;

StepName name_of(const Execution& execution, std::uint32_t i) {
  StepName out{execution.event(i).move.thread, 0};
  for (std::uint32_t k = 0; k < execution.place_of(i); ++k)
    if (execution.event(k).move.thread == out.thread) ++out.index;
  return out;
}

// The larger, the better to split by.
int merit(const Execution& execution, const Footprints& footprints, const Race& race) {
  const auto varies = [&](std::uint32_t i) {
    return footprints.varies(execution.event(i).footprint) != Varies::no;
  };
  int out = race.second < execution.size() ? 1 : 0;
  if (!race.observed) out += 2;
  if (!varies(race.first) && !varies(race.second)) out += 4;
  return out;
}

}  // namespace

std::optional<StepPair> steps_to_split_by(const Log& run, const Footprints& footprints,
                                          std::size_t threads, Observers observers,
                                          const Cube& cube) {
  Execution execution(footprints, threads, observers, cube.waits);
  execution.assign(run.events, run.pending);
  const Race* best = nullptr;
  int most = -1;
  for (const Race& race : execution.races()) {
    const int now = merit(execution, footprints, race);
    if (now <= most) continue;
    most = now;
    best = &race;
  }
  if (best == nullptr) return {};
  return {{name_of(execution, best->first), name_of(execution, best->second)}};
}

std::optional<StepPair> steps_to_split_by(Runner& runner, Observers observers) {
  for (std::uint64_t seed = 0; seed <= random_runs; ++seed) {
    runner.submit({.schedule = {}, .seed = seed});
    const Log& log = runner.next();
    if (log.learned) throw Learned();
    if (const auto pair = steps_to_split_by(log, runner.footprints(), runner.thread_count(),
                                            observers, runner.cube()))
      return pair;
  }
  return {};
}

std::optional<StepPair> Pairs::take(const std::string& cube, Runner& runner) {
  std::optional<StepPair> out;
  if (const auto known = pairs_.find(cube); known != pairs_.end()) {
    out = known->second;
    pairs_.erase(known);
    current_ = nullptr;
  }
  return out ? out : steps_to_split_by(runner, observers_);
}

}  // namespace heddle::parallel
