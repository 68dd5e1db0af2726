#include "fuzz/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "native/machine.hpp"
#include "native/settings.hpp"
#include "native/thread_paths.hpp"

namespace heddle::fuzz {
namespace {

constexpr std::size_t most_splits = 3;
constexpr int most_tries = 100;  // to find two steps: some runs have few that depend on each other

// By thread and number, as the events of a run have them.
std::vector<StepName> names_of(std::span<const Event> events) {
  std::vector<std::uint32_t> taken(abi::max_threads);
  std::vector<StepName> out;
  for (const Event& e : events) out.push_back({e.move.thread, taken[e.move.thread]++});
  return out;
}

std::string in_words(const Explored& e) {
  return fmt::format("{} executions, {} blocked, {} in a deadlock, {} outcomes",
                     e.counts.executions, e.counts.blocked, e.counts.deadlocks, e.outcomes.size());
}

}  // namespace

Explored& Explored::operator+=(const Explored& other) {
  counts += other.counts;
  for (const auto& [outcome, runs] : other.outcomes) outcomes[outcome] += runs;
  elsewhere.insert(other.elsewhere.begin(), other.elsewhere.end());
  complete = complete && other.complete;
  if (oddity.empty()) oddity = other.oddity;
  return *this;
}

native::NativeRunner PartExplorer::runner_of(const Cube& cube) {
  worker_.configure(*native::settings_of(options_, knowledge_, algorithm_.covers, cube));
  return {worker_, worker_.names(), knowledge_, options_.races, options_.repeat_every, cube};
}

Explored PartExplorer::explore(const Cube& cube) {
  native::NativeRunner runner = runner_of(cube);
  native::NativeMachine machine(runner);
  Explored out;
  ExploreOptions how = options_.explore;
  how.on_run = [&](const Log& log) {
    if (!log.counts)
      out.elsewhere.insert(log.outcome.finding);
    else if (log.ending != Ending::assumed)
      ++out.outcomes[{log.outcome.value, log.outcome.finding}];
    return Decision::proceed;
  };
  how.may_continue = [&](const Tree*) {
    return options_.limits.seconds == 0 || clock_.seconds() < options_.limits.seconds;
  };
  try {
    const Result result = algorithm_.explore({runner, machine}, how);
    if (result.start_over) throw Learned();
    out.counts = result.counts;
    out.complete = result.complete;
    runner.finish();
  } catch (const native::Nondeterminism& n) {
    out.oddity = fmt::format("a schedule that is run twice differs at step {}", n.step + 1);
  } catch (const Diverged& d) {
    out.oddity = d.what();
  }
  return out;
}

std::optional<std::pair<StepName, StepName>> PartExplorer::random_pair(const Cube& cube,
                                                                       Random& random) {
  native::NativeRunner runner = runner_of(cube);
  runner.submit({{}, Request::Then::proceed, random.next() | 1, 0});
  const Log& log = runner.next();
  if (log.learned) throw Learned();
  if (log.events.empty()) return {};
  const std::vector<StepName> names = names_of(log.events);
  const bool dependent = random.below(5) != 0;
  for (int n = 0; n < most_tries; ++n) {
    const std::size_t one = random.below(names.size()), other = random.below(names.size());
    const std::size_t i = std::min(one, other), j = std::max(one, other);
    if (names[i].thread == names[j].thread) continue;
    if (std::ranges::any_of(
            cube.waits, [&](const Wait& w) { return w.first == names[i] && w.second == names[j]; }))
      continue;
    if (!dependent ||
        runner.footprints().dependent(log.events[i].footprint, log.events[j].footprint))
      return {{names[i], names[j]}};
  }
  return {};
}

std::vector<Cube> PartExplorer::random_cubes(Random& random, std::size_t depth) {
  std::vector<Cube> out;
  std::vector<std::pair<Cube, std::size_t>> work = {{Cube(), depth}};
  while (!work.empty()) {
    auto [cube, left] = std::move(work.back());
    work.pop_back();
    const auto pair = left == 0 ? std::nullopt : random_pair(cube, random);
    if (!pair) {
      out.push_back(std::move(cube));
      continue;
    }
    auto [first, second] = cube.split(pair->first, pair->second);
    work.emplace_back(std::move(first), left - 1);
    work.emplace_back(std::move(second), left - 1);
  }
  return out;
}

InParts explore_in_parts(const Algorithm& algorithm, const native::Options& options,
                         std::uint64_t seed) {
  PartExplorer explorer(algorithm, options);
  for (;;) try {
      Random random(seed | 1);
      InParts out;
      out.whole = explorer.explore({});
      if (!out.whole.complete || !out.whole.oddity.empty()) return out;
      for (const Cube& cube : explorer.random_cubes(random, 1 + random.below(most_splits))) {
        out.cubes += fmt::format(" [{}]", native::to_text(cube, explorer.names().numbering()));
        out.parts += explorer.explore(cube);
      }
      return out;
    } catch (const Learned&) {  // all start over
    }
}

std::string InParts::difference(bool exact) const {
  const auto found = [](const Explored& e, abi::Finding kind) {
    return std::ranges::any_of(std::views::keys(e.outcomes),
                               [&](const auto& o) { return o.finding == kind; });
  };
  for (const abi::Finding kind : parts.elsewhere)
    if (!found(whole, kind))
      return fmt::format("runs that do not count find what the whole does not: {}",
                         abi::name_of(kind));
  const bool numbers = whole.counts.executions == parts.counts.executions &&
                       whole.counts.blocked == parts.counts.blocked &&
                       whole.counts.deadlocks == parts.counts.deadlocks;
  const bool same = exact ? numbers && whole.outcomes == parts.outcomes
                          : std::ranges::equal(std::views::keys(whole.outcomes),
                                               std::views::keys(parts.outcomes));
  return same
             ? ""
             : fmt::format("the whole has {}; its parts have {}", in_words(whole), in_words(parts));
}

}  // namespace heddle::fuzz
