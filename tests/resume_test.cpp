// An exploration that is stopped and resumed explores the same as one that is not.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "base/check.hpp"
#include "core/algorithm.hpp"
#include "core/order.hpp"
#include "interp/families.hpp"
#include "interp/random_program.hpp"
#include "interp/runner.hpp"
#include "interp/shuffled_runner.hpp"
#include "interp/text.hpp"

namespace heddle::interp {
namespace {

struct Seen {
  Counts counts;
  std::multiset<std::uint64_t> traces;
  std::size_t stops = 0;
};

// Stops before each run that the random number says, 0 for never; each time with a new Runner.
Seen explore_in_parts(const Program& program, const Algorithm& algorithm, std::size_t capacity,
                      ExploreOptions options, std::uint64_t runs_at_most) {
  Seen seen;
  Random random(options.seed);
  SavedFrontier left;
  for (;;) {
    ModelRunner model(program);
    ShuffledRunner runner(model, capacity, options.seed);
    const Observers observers =
        algorithm.covers == Covers::observations ? Observers::yes : Observers::no;
    options.on_run = [&](const Log& log) {
      seen.traces.insert(Order(runner.footprints(), log.events, observers).canonical());
      return Decision::proceed;
    };
    std::uint64_t runs = runs_at_most == 0 ? ~0ULL : random.below(runs_at_most + 1);
    options.may_continue = [&](const Ongoing&) { return runs-- > 0; };
    const Result result = algorithm.explore({runner, model.machine()}, options);
    seen.counts += result.counts;
    EXPECT_EQ(result.complete, result.left.empty());
    if (result.complete) return seen;
    left = result.left;
    options.resume = &left;
    ++seen.stops;
  }
}

std::size_t expect_the_same_in_parts(const Program& program, std::uint64_t seed) {
  std::size_t stops = 0;
  for (const char* name : {"optimal", "observers"})
    for (const auto order : {ExploreOptions::Pick::leftmost, ExploreOptions::Pick::random})
      for (const std::size_t capacity : {1U, 5U}) {
        SCOPED_TRACE(std::string(name) + ", capacity " + std::to_string(capacity) + ":\n" +
                     print_program(program));
        const Algorithm& algorithm = *find_algorithm(name);
        ExploreOptions options;
        options.order = order;
        options.seed = seed;
        const Seen whole = explore_in_parts(program, algorithm, capacity, options, 0);
        const Seen parts = explore_in_parts(program, algorithm, capacity, options, 8);
        EXPECT_EQ(parts.counts, whole.counts);
        EXPECT_EQ(parts.traces, whole.traces);
        EXPECT_EQ(whole.stops, 0U);
        stops += parts.stops;
        if (testing::Test::HasFailure()) return stops;
      }
  return stops;
}

TEST(Resume, RandomProgramsAreExploredTheSame) {
  std::size_t stops = 0;
  for (const Shape& shape : shapes())
    for (std::uint64_t seed = 1; seed <= 25 && !HasFailure(); ++seed) {
      SCOPED_TRACE(std::string(shape.name) + ", seed " + std::to_string(seed));
      Random random(seed);
      stops += expect_the_same_in_parts(shape.make(random), seed);
    }
  EXPECT_GT(stops, 3'000U);
}

TEST(Resume, FamiliesAreExploredTheSame) {
  std::size_t stops = 0;
  for (const auto& [name, size] : {std::pair("lastzero", 5), {"readers", 5}, {"filesystem", 14}})
    stops += expect_the_same_in_parts(find_family(name)->make(size), 3);
  EXPECT_GT(stops, 20U);
}

// Gives up what is in flight before a given number of logs have come back.
class Interrupting final : public Runner {
 public:
  Interrupting(Runner& runner, std::uint64_t logs) : runner_(runner), logs_(logs) {}

  std::size_t thread_count() const override { return runner_.thread_count(); }
  const Footprints& footprints() const override { return runner_.footprints(); }
  std::size_t capacity() const override { return runner_.capacity(); }
  std::optional<Event> with_use(const Event& event, const Access& use) override {
    return runner_.with_use(event, use);
  }
  void submit(const Request& request) override { runner_.submit(request); }
  const Log& next() override {
    if (logs_-- == 0) throw Interrupted();
    return runner_.next();
  }

 private:
  Runner& runner_;
  std::uint64_t logs_;
};

// What is saved meanwhile, by an exploration that does not live to its end.
struct Saved {
  Seen seen;
  SavedFrontier left;
};
struct Killed {};

// Interrupted, or killed some time after it was saved; until it comes to its end.
Saved explore_with_accidents(const Program& program, const Algorithm& algorithm,
                             ExploreOptions options, bool killed) {
  Saved now;
  Random random(options.seed);
  for (bool complete = false; !complete;) {
    ModelRunner model(program);
    ShuffledRunner shuffled(model, 5, options.seed);
    Interrupting runner(shuffled, killed ? ~0ULL : random.below(12 + now.left.tree.size()));
    Seen seen = now.seen;
    options.on_run = [&](const Log& log) {
      seen.counts.count(log);
      seen.traces.insert(
          Order(runner.footprints(), log.events,
                algorithm.covers == Covers::observations ? Observers::yes : Observers::no)
              .canonical());
      return Decision::proceed;
    };
    if (killed) {
      options.may_continue = [&](const Ongoing&) {
        if (random.below(9) == 0) throw Killed();
        return true;
      };
      options.save_now = [&] { return random.below(3) == 0; };
      options.on_save = [&](SavedFrontier left) { now = {seen, std::move(left)}; };
    }
    const Saved before = now;
    options.resume = before.left.empty() ? nullptr : &before.left;
    try {
      Result result = algorithm.explore({runner, model.machine()}, options);
      complete = result.complete;
      now = {seen, std::move(result.left)};
    } catch (const Killed&) {
    }
    ++now.seen.stops;
  }
  return now;
}

TEST(Resume, AccidentsLoseNothing) {
  std::size_t stops = 0;
  for (const Shape& shape : shapes())
    for (std::uint64_t seed = 1; seed <= 12 && !HasFailure(); ++seed)
      for (const char* name : {"optimal", "observers"})
        for (const bool killed : {false, true}) {
          Random random(seed);
          const Program program = shape.make(random);
          SCOPED_TRACE(std::string(name) + ":\n" + print_program(program));
          const Algorithm& algorithm = *find_algorithm(name);
          ExploreOptions options;
          options.order =
              seed % 2 == 0 ? ExploreOptions::Pick::leftmost : ExploreOptions::Pick::random;
          options.seed = seed;
          const Seen whole = explore_in_parts(program, algorithm, 5, options, 0);
          const Seen parts = explore_with_accidents(program, algorithm, options, killed).seen;
          EXPECT_EQ(parts.counts.executions, whole.counts.executions);
          EXPECT_EQ(parts.counts.blocked, whole.counts.blocked);
          EXPECT_EQ(parts.traces, whole.traces);
          stops += parts.stops;
        }
  EXPECT_GT(stops, 1'000U);
}

TEST(Resume, WhatIsNoTreeIsRefused) {
  using Tree_ = SavedTree;
  const SavedNode root{0, {}, 0, false, 0}, child{1, {0, 0}, Node::nowhere, false, 0};
  const SavedNode leaf{2, {1, 0}, 1, true, 0}, deep{4, {1, 0}, 1, true, 0};
  Tree tree;
  EXPECT_NO_THROW(tree.restore({root, child, leaf}));
  EXPECT_EQ(tree.save(), (Tree_{root, child, leaf}));
  SavedNode late = leaf;
  late.attached_at = 3;
  SavedNode inner = leaf;
  inner.attached_at = Node::nowhere;
  for (const Tree_& wrong :
       {Tree_{}, Tree_{child}, Tree_{root, leaf}, Tree_{root, child, deep}, Tree_{root, root},
        Tree_{root, child, late}, Tree_{root, child, inner}, Tree_{root, child, leaf, {3, {}}}})
    EXPECT_THROW(Tree().restore(wrong), Misuse);
}

// Half way through, and at the end.
TEST(Outlook, IsNearTheTruthAndThenExact) {
  for (const auto& [name, size] : {std::pair("floatingread-dif", 5), {"readers", 8}, {"pi", 5}}) {
    SCOPED_TRACE(name);
    ModelRunner runner(find_family(name)->make(size));
    const Algorithm& algorithm = *find_algorithm("optimal");
    const auto total =
        static_cast<double>(algorithm.explore({runner, runner.machine()}, {}).counts.executions);
    std::uint64_t runs = 0;
    double half = 0, last = 0, last_deviation = 0;
    ExploreOptions options;
    options.may_continue = [&](const Ongoing& now) {
      const Outlook outlook = now.tree->outlook();
      EXPECT_GE(outlook.runs, static_cast<double>(runs));
      if (++runs == static_cast<std::uint64_t>(total / 2)) half = outlook.runs;
      last = outlook.runs;
      last_deviation = outlook.deviation;
      return true;
    };
    algorithm.explore({runner, runner.machine()}, options);
    EXPECT_GT(half, total / 3);
    EXPECT_LT(half, total * 3);
    EXPECT_NEAR(last, total, 2);
    EXPECT_LT(last_deviation, total / 4);
  }
}

}  // namespace
}  // namespace heddle::interp
