// Cubes: parts of the schedules of a program add up to the whole.
#include "model/cube.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "core/algorithm.hpp"
#include "core/execution.hpp"
#include "interp/families.hpp"
#include "interp/random_cubes.hpp"
#include "interp/runner.hpp"
#include "interp/text.hpp"

namespace heddle::interp {
namespace {

struct Explored {
  Counts counts;
  std::set<std::uint64_t> observed;
  std::uint64_t failures = 0;  // runs with a finding, whether they count or not
};

Explored explore(const Program& program, const std::string& algorithm, const Cube& cube = {}) {
  ModelRunner runner(program);
  ModelMachine machine(program);
  runner.machine().restrict_to(cube);
  machine.restrict_to(cube);
  Explored out;
  ExploreOptions options;
  options.on_run = [&](const Log& log) {
    out.failures += log.failed() ? 1 : 0;
    if (log.counts) out.observed.insert(log.observed);
    return Decision::proceed;
  };
  out.counts = find_algorithm(algorithm)->explore({runner, machine}, options).counts;
  return out;
}

Program parse(const std::string& text) { return parse_program(text); }

TEST(Cube, HoldsAStepBackUntilTheOtherHasHappened) {
  const Cube cube{{{{0, 1}, {1, 0}, false}}};
  std::map<ThreadId, std::uint32_t> taken;
  const auto is_held = [&](StepName step) {
    return cube.holds(step, [&](ThreadId t) { return taken[t]; });
  };
  EXPECT_TRUE(is_held({1, 0}));
  EXPECT_FALSE(is_held({1, 1}));
  EXPECT_FALSE(is_held({0, 1}));
  taken[0] = 1;
  EXPECT_TRUE(is_held({1, 0}));
  taken[0] = 2;
  EXPECT_FALSE(is_held({1, 0}));
}

TEST(Cube, IsWrittenAsItsWaits) {
  const auto [first, second] = Cube().split({0, 1}, {2, 0});
  EXPECT_EQ(to_text(Cube()), "");
  EXPECT_EQ(to_text(first), "0.1<2.0");
  EXPECT_EQ(to_text(second), "2.0<0.1!");
  EXPECT_EQ(to_text(second.split({3, 4}, {5, 6}).first), "2.0<0.1! 3.4<5.6");
}

TEST(Cube, TwoThatRaceAreInOneHalfEach) {
  const Program program = parse("var x\nthread p: x = 1\nthread q: x = 2\n");
  const auto [first, second] = Cube().split({0, 0}, {1, 0});
  for (const char* name : {"none", "source", "optimal"}) {
    EXPECT_EQ(explore(program, name, first).counts.executions, 1U) << name;
    EXPECT_EQ(explore(program, name, second).counts.executions, 1U) << name;
  }
}

// Unordered steps: the trace is in the first half, and the run of the second does not count.
TEST(Cube, StepsThatCommuteAreInTheFirstHalf) {
  const Program program = parse("var x\nvar y\nthread p: x = 1\nthread q: y = 2\n");
  const auto [first, second] = Cube().split({0, 0}, {1, 0});
  EXPECT_EQ(explore(program, "optimal", first).counts.executions, 1U);
  const Explored other = explore(program, "optimal", second);
  EXPECT_EQ(other.counts.executions, 0U);
  EXPECT_EQ(other.counts.discarded, 1U);
}

TEST(Cube, ARunThatIsHeldBackDoesNotCountButFails) {
  const Program program = parse(
      "var x\nvar y\nthread p: $0 = x; if $0 == 0 goto end; y = 1; end:\n"
      "thread q: $1 = y\nthread r: $2 = x; claim $2 == 1\nthread s: x = 1\n");
  // q's first step waits for p's second, which p may not take.
  const auto [first, second] = Cube().split({0, 1}, {1, 0});
  const Explored whole = explore(program, "optimal"), held = explore(program, "optimal", first),
                 rest = explore(program, "optimal", second);
  EXPECT_EQ(held.counts.executions + rest.counts.executions, whole.counts.executions);
  EXPECT_GT(held.counts.discarded, 0U);
  EXPECT_GT(held.failures, held.counts.findings);
  EXPECT_EQ(held.counts.findings + rest.counts.findings, whole.counts.findings);
}

// Nothing may happen because a step is held back.
TEST(Cube, NoThreadTimesOutOrIsInADeadlockBecauseAnotherIsHeldBack) {
  const Program program = parse(
      "sem s\nvar x\nthread p: $0 = timed_sem_wait s\nthread q: x = 1; sem_post s\n"
      "thread r: x = 2\n");
  const Explored whole = explore(program, "optimal");
  const auto [first, second] = Cube().split({2, 0}, {1, 0});
  Explored halves = explore(program, "optimal", first);
  const Explored other = explore(program, "optimal", second);
  EXPECT_EQ(halves.counts.executions + other.counts.executions, whole.counts.executions);
  EXPECT_EQ(halves.counts.deadlocks + other.counts.deadlocks, whole.counts.deadlocks);
  halves.observed.insert(other.observed.begin(), other.observed.end());
  EXPECT_EQ(halves.observed, whole.observed);
}

// Split as an engine would: by the first race of the first run, several times.
void expect_halves_to_add_up(const Program& program, const char* algorithm, const Cube& cube,
                             int depth) {
  const Explored whole = explore(program, algorithm, cube);
  ModelRunner runner(program);
  runner.machine().restrict_to(cube);
  runner.submit({});
  const Log& log = runner.next();
  Execution execution(runner.footprints(), runner.thread_count(), Observers::no, cube.waits);
  execution.assign(log.events, log.pending);
  const auto is_event = [&](const Race& race) { return race.second < log.events.size(); };
  const auto race = std::ranges::find_if(execution.races(), is_event);
  if (race == execution.races().end() || depth == 0) return;
  std::map<ThreadId, std::uint32_t> taken;
  std::vector<StepName> names;
  for (const Event& e : log.events) names.push_back({e.move.thread, taken[e.move.thread]++});
  const auto [first, second] = cube.split(names[race->first], names[race->second]);
  const Counts a = explore(program, algorithm, first).counts,
               b = explore(program, algorithm, second).counts;
  EXPECT_EQ(a.executions + b.executions, whole.counts.executions) << to_text(first);
  EXPECT_EQ(a.blocked + b.blocked, whole.counts.blocked) << to_text(first);
  expect_halves_to_add_up(program, algorithm, first, depth - 1);
  expect_halves_to_add_up(program, algorithm, second, depth - 1);
}

TEST(Cube, HalvesOfFamiliesAddUp) {
  for (const Family& family : families())
    for (const char* algorithm : {"optimal", "observers"}) {
      SCOPED_TRACE(std::string(family.name) + ", " + algorithm);
      expect_halves_to_add_up(family.make(family.min_size), algorithm, {}, 3);
    }
  for (const char* name : {"lastzero", "readers", "floatingread", "indexer"}) {
    SCOPED_TRACE(name);
    expect_halves_to_add_up(find_family(name)->make(5), "optimal", {}, 4);
  }
}

}  // namespace
}  // namespace heddle::interp
