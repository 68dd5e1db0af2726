// Cubes of compiled programs: nothing happens because a step is held back. The programs are in
// data/cubes.c.
#include "native_cubes.hpp"

#include <optional>
#include <set>
#include <vector>

#include "native/machine.hpp"
#include "native/settings.hpp"

namespace heddle::native {
namespace {

using abi::Finding;

// The first thread that main creates has number 1, and so on; and main's first steps create them.
constexpr std::uint32_t never = 1000;  // the index of a step that no thread here comes to

// In all of these, nothing counts and nothing is found: each run is held.
void expect_held(const Explored& e) {
  EXPECT_EQ(e.oddity, "");
  EXPECT_TRUE(e.complete);
  EXPECT_GT(e.counts.discarded, 0U);
  EXPECT_EQ(e.counts.executions + e.counts.blocked, 0U);
  EXPECT_TRUE(e.outcomes.empty());
  EXPECT_TRUE(e.elsewhere.empty());
}

// The second thread is to signal, to post or to set the flag: but not before the first has done
// what comes after its wait.
TEST_F(NativeCubes, NoLimitIsReachedBecauseAStepIsHeldBack) {
  for (const char* name : {"condition with a limit", "semaphore with limits", "polling"})
    expect_held(explore(name, {{{{1, never}, {2, 0}}}}));
  // In the program itself they all are, where no other thread comes.
  for (const char* name : {"two limits", "semaphore that is not posted", "polling in vain"})
    expect_held(explore(name, {{{{1, never}, {3, 0}}}}));
}

TEST_F(NativeCubes, NothingIsADeadlockBecauseAStepIsHeldBack) {
  expect_held(explore("condition", {{{{1, never}, {2, 0}}}}));
  expect_held(explore("semaphore", {{{{1, never}, {2, 0}}}}));
  expect_held(explore("barrier", {{{{1, never}, {2, 0}}}}));
}

TEST_F(NativeCubes, NothingSpinsForEverBecauseAStepIsHeldBack) {
  for (const char* name : {"spinning", "spinning with a lock", "spinning for each other"})
    expect_held(explore(name, {{{{1, never}, {2, 0}}}}));
}

TEST_F(NativeCubes, NoRunIsCompleteBecauseAStepIsHeldBack) {
  for (const char* name : {"memory", "exit while others run", "main returns"})
    expect_held(explore(name, {{{{1, never}, {2, 0}}}}));
}

// The first thread has its token, and is held back. It does not choose who times out, nor does the
// loop of the third, which looked too early, cut the run off.
TEST_F(NativeCubes, AThreadThatIsHeldBackDoesNotWaitForItsLimit) {
  expect_held(explore("limits and a loop", {{{{2, never}, {1, 0}}}}));
}

// A real deadlock is one in any part: here the thread that is held back is also blocked.
TEST_F(NativeCubes, WhatIsBlockedAnywayIsADeadlock) {
  const Explored whole = explore("spinning for ever", {});
  const Explored part = explore("spinning for ever", {{{{2, never}, {1, 1}}}});
  EXPECT_EQ(part.outcomes, whole.outcomes);
  EXPECT_EQ(part.counts.discarded, 0U);
  EXPECT_TRUE(part.outcomes.contains({{}, Finding::livelock}));
}

// The limit of the first ends first. If its thread is held back, no other times out in its place.
TEST_F(NativeCubes, NoOtherThreadTimesOutInPlaceOfOneThatIsHeldBack) {
  const auto takes = [](const char* name, ThreadId thread) {
    std::set<std::uint64_t> steps;
    for (std::uint32_t k = 0; k < 12; ++k) {
      const Explored e =
          explore(name, {{{{thread == 1 ? ThreadId{2} : ThreadId{1}, never}, {thread, k}}}});
      EXPECT_TRUE(e.elsewhere.empty());
      if (e.counts.executions == 0) steps.insert(k);
    }
    return steps.size();
  };
  // Each step of either thread, the time-out among them.
  EXPECT_EQ(takes("semaphore that is not posted", 1), 2U);
  EXPECT_EQ(takes("semaphore that is not posted", 2), 3U);
}

// A thread that was stopped in a loop would leave it: that is a question about the program.
TEST_F(NativeCubes, ALoopIsLeftWhetherOrNotTheNextStepIsHeldBack) {
  const Explored part = explore("spinning for a lock", {{{{2, never}, {1, 1}}}});
  const Explored whole = explore("spinning for a lock", {});
  EXPECT_GT(whole.counts.blocked, 0U);
  EXPECT_GT(part.counts.blocked, 0U);
  EXPECT_TRUE(part.elsewhere.empty());
  EXPECT_FALSE(part.outcomes.contains({{}, Finding::livelock}));
}

TEST_F(NativeCubes, AFindingInARunThatIsHeldIsOne) {
  const Explored e = explore("assertion", {{{{1, never}, {3, 0}}}});
  EXPECT_EQ(e.counts.executions, 0U);
  EXPECT_EQ(e.elsewhere, std::set{Finding::assertion});
  EXPECT_EQ(explore("exit", {{{{1, never}, {3, 0}}}}).elsewhere, std::set{Finding::exit});
}

// A thread that some runs do not create has taken no step in them.
TEST_F(NativeCubes, AThreadThatDoesNotExistHasTakenNoStep) {
  const Explored whole = explore("child in some runs", {});
  const auto [with, without] = Cube().split({4, 0}, {2, 1});
  const Explored first = explore("child in some runs", with);
  const Explored second = explore("child in some runs", without);
  EXPECT_GT(first.counts.executions, 0U);
  EXPECT_GT(first.counts.discarded, 0U);
  EXPECT_GT(second.counts.executions, 0U);
  EXPECT_EQ(first.counts.executions + second.counts.executions, whole.counts.executions);
  // Nor has one that there never is.
  expect_held(explore("child in some runs", {{{{63, 0}, {1, 0}}}}));
  const Explored unheld = explore("child in some runs", {{{{1, 0}, {63, 0}}}});
  EXPECT_EQ(unheld.counts.executions, whole.counts.executions);
}

// A run that is cut off by its number of steps ends there whether or not a step is held back: here
// also where nothing else would come next. So no such run is lost. (There may be more of them than
// in the whole, as the policy chooses which steps these are.)
TEST_F(NativeCubes, RunsThatAreCutOffAreThoseOfTheWhole) {
  const auto check = [](const Options& options) {
    PartExplorer explorer(*find_algorithm("optimal"), options);
    for (bool learning = true; learning;) try {
        const Explored whole = explorer.explore({});
        for (const std::uint32_t index : {3U, never}) {
          const auto [first, second] = Cube().split({1, index}, {2, 0});
          Explored parts = explorer.explore(first);
          parts += explorer.explore(second);
          EXPECT_GE(parts.counts.executions, whole.counts.executions) << options.command[2];
          EXPECT_EQ(difference(whole, parts, false), "") << options.command[2];
        }
        learning = false;
      } catch (const Learned&) {
      }
  };
  for (long length = 20; length < 32; ++length) {
    Options options = options_of("counting", length);
    options.max_steps = 28;
    check(options);
  }
  for (long length = 90; length < 102; ++length) {
    Options options = options_of("main returns and a thread counts", length);
    options.kill_at_exit = true;  // after a hundred steps
    check(options);
  }
}

class OneRunner {
 public:
  OneRunner(const Options& options, const Cube& cube) : worker_(options.command) {
    worker_.configure(*settings_of(options, knowledge_, Covers::final_states, cube));
    knowledge_.threads = 4;
    runner.emplace(worker_, worker_.names(), knowledge_, options.races, 1, cube);
  }

 private:
  Worker worker_;
  Knowledge knowledge_;

 public:
  std::optional<NativeRunner> runner;
};

const Log& run(NativeRunner& runner, const Schedule& schedule,
               Request::Then then = Request::Then::proceed, std::uint64_t seed = 0) {
  runner.submit({schedule, then, seed, 0});
  return runner.next();
}

TEST_F(NativeCubes, AScheduleWithAStepThatIsHeldBackDiverges) {
  const Options options = options_of("memory");
  const Cube cube{{{{2, 0}, {1, 0}}}};
  OneRunner one(options, cube);
  const Schedule created = {{0, 0}, {0, 0}, {0, 0}};
  ASSERT_EQ(run(*one.runner, created, Request::Then::stop).ending, Ending::stopped);
  Schedule schedule = created;
  schedule.push_back({1, 0});
  const Log& log = run(*one.runner, schedule, Request::Then::stop);
  EXPECT_EQ(log.ending, Ending::diverged);
  EXPECT_EQ(log.diverged_at, 3U);
  EXPECT_TRUE(log.why_diverged.starts_with("thread 1 is held back by the cube"))
      << log.why_diverged;
  schedule = created;
  schedule.insert(schedule.end(), {{2, 0}, {1, 0}});
  EXPECT_EQ(run(*one.runner, schedule, Request::Then::stop).ending, Ending::stopped);
  EXPECT_EQ(one.runner->run_alone(schedule).ending, Ending::complete);
  EXPECT_EQ(one.runner->explain(schedule).ending, Ending::complete);
  EXPECT_TRUE(one.runner->repeats(schedule));
}

TEST_F(NativeCubes, NoPolicyTakesAStepThatIsHeldBack) {
  const Options options = options_of("memory");
  const Cube cube{{{{3, 1}, {2, 1}}, {{2, 0}, {1, 0}}}};
  OneRunner one(options, cube);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Log& log = run(*one.runner, {}, Request::Then::proceed, seed);
    ASSERT_EQ(log.ending, Ending::complete);
    std::vector<std::uint32_t> taken(4);
    for (const Event& e : log.events) {
      const StepName step{e.move.thread, taken[e.move.thread]};
      EXPECT_FALSE(cube.holds(step, [&](ThreadId t) { return taken[t]; })) << seed;
      ++taken[e.move.thread];
    }
  }
  // What could be next: neither the thread that is held back, nor as one that is blocked.
  const Schedule created = {{0, 0}, {0, 0}, {0, 0}};
  const Log& log = one.runner->list_moves(created, {});
  EXPECT_EQ(log.ending, Ending::stopped);
  const auto choices = one.runner->choices();
  EXPECT_EQ(std::vector<Move>(choices.begin(), choices.end()), (std::vector<Move>{{2, 0}, {3, 0}}));
  EXPECT_TRUE(std::ranges::none_of(log.pending, [](const Pending& p) { return p.thread == 1; }));
}

// A savepoint keeps how many steps each thread has taken.
TEST_F(NativeCubes, RunsFromSavepointsAreHeldBackAlike) {
  Options options = options_of("memory");
  options.savepoints = abi::Savepoints::always;
  for (const std::uint32_t index : {0U, 1U}) {
    const Cube cube{{{{3, index}, {1, index}}, {{2, 1}, {3, 1}}}};
    const Explored saved = explore(options, cube);
    Options without = options;
    without.savepoints = abi::Savepoints::never;
    EXPECT_EQ(difference(explore(without, cube), saved, true), "");
    EXPECT_GT(saved.counts.executions, 1U);
  }
}

}  // namespace
}  // namespace heddle::native
