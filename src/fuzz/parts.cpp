#include "fuzz/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "core/random_cubes.hpp"
#include "native/machine.hpp"
#include "native/settings.hpp"
#include "native/thread_paths.hpp"

namespace heddle::fuzz {
namespace {

constexpr std::size_t most_splits = 3;

std::string in_words(const Explored& e) {
  return fmt::format("{} executions, {} blocked, {} in a deadlock, {} outcomes",
                     e.counts.executions, e.counts.blocked, e.counts.deadlocks, e.outcomes.size());
}

}  // namespace

Explored& Explored::operator+=(const Explored& other) {
  counts += other.counts;
  for (const auto& [outcome, runs] : other.outcomes) outcomes[outcome] += runs;
  races.insert(other.races.begin(), other.races.end());
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
  how.wants_race = [&](const RacingPair& race) { return runner.counts_as_race(race); };
  how.may_continue = [&](const Ongoing&) {
    return options_.limits.seconds == 0 || clock_.seconds() < options_.limits.seconds;
  };
  try {
    const Result result = algorithm_.explore({runner, machine}, how);
    if (result.start_over) throw Learned();
    for (const RacingPair& race : result.races)
      if (runner.counts_as_race(race)) runner.add_race(race, out.races);
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

std::vector<Cube> PartExplorer::random_cubes(Random& random, std::size_t depth) {
  return split_at_random(depth, [&](const Cube& cube) {
    native::NativeRunner runner = runner_of(cube);
    runner.submit({{}, Request::Then::proceed, random.next() | 1, 0});
    const Log& log = runner.next();
    if (log.learned) throw Learned();
    return random_pair(log.events, runner.footprints(), cube, random);
  });
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

std::string InParts::difference_in_races() const {
  return whole.races == parts.races ? ""
                                    : fmt::format("the whole has {} data races; its parts have {}",
                                                  whole.races.size(), parts.races.size());
}

}  // namespace heddle::fuzz
