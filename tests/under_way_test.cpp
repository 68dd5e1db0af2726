// Many runs in flight at once: whatever the order in which they come back, the same is explored.
#include <gtest/gtest.h>

#include <set>
#include <string>

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
  Result result;
  std::uint64_t runs = 0;
  std::set<std::uint64_t> outcomes, final_states;
  std::multiset<std::uint64_t> traces;
};

Seen look_at(const Algorithm& algorithm, Runner& runner, ModelMachine& machine,
             ExploreOptions options) {
  Seen seen;
  const bool observers = algorithm.covers == Covers::observations;
  options.on_run = [&](const Log& log) {
    ++seen.runs;
    seen.outcomes.insert(log.observed);
    if (!observers) seen.final_states.insert(log.final_state);
    seen.traces.insert(
        Order(runner.footprints(), log.events, observers ? Observers::yes : Observers::no)
            .canonical());
    return Decision::proceed;
  };
  seen.result = algorithm.explore({runner, machine}, options);
  return seen;
}

void expect_the_same_at_any_capacity(const Program& program, std::uint64_t seed) {
  ModelRunner runner(program);
  for (const char* name : {"optimal", "observers"}) {
    const Algorithm& algorithm = *find_algorithm(name);
    const Seen expected = look_at(algorithm, runner, runner.machine(), {});
    for (const std::size_t capacity : {1U, 2U, 7U, 64U})
      for (const auto order : {ExploreOptions::Pick::leftmost, ExploreOptions::Pick::random}) {
        const bool random = order == ExploreOptions::Pick::random;
        SCOPED_TRACE(std::string(name) + (random ? ", random" : ", leftmost") + ", capacity " +
                     std::to_string(capacity) + ":\n" + print_program(program));
        ShuffledRunner shuffled(runner, capacity, seed);
        ExploreOptions options;
        options.order = order;
        options.seed = seed;
        const Seen seen = look_at(algorithm, shuffled, runner.machine(), options);
        ASSERT_TRUE(seen.result.complete);
        ASSERT_EQ(seen.result.counts, expected.result.counts);
        ASSERT_EQ(seen.runs, expected.runs);
        ASSERT_EQ(seen.traces, expected.traces);
        ASSERT_EQ(seen.outcomes, expected.outcomes);
        ASSERT_EQ(seen.final_states, expected.final_states);
      }
  }
}

TEST(UnderWay, FamiliesAreTheSameAtAnyCapacity) {
  for (const Family& family : families())
    for (int size = family.min_size; size <= std::min(family.min_size + 2, family.max_size); ++size)
      for (std::uint64_t seed = 1; seed <= 3 && !HasFatalFailure(); ++seed)
        expect_the_same_at_any_capacity(family.make(size), seed);
}

TEST(UnderWay, RandomProgramsAreTheSameAtAnyCapacity) {
  Random seeds(2);
  for (int n = 0; n < 400 && !HasFatalFailure(); ++n) {
    const std::uint64_t seed = seeds.next();
    Random random(seed);
    expect_the_same_at_any_capacity(
        shapes()[static_cast<std::size_t>(n) % shapes().size()].make(random), seed);
  }
}

// How many runs were in flight each time one was waited for.
class Watched final : public Runner {
 public:
  explicit Watched(Runner& runner) : runner_(runner) {}

  std::size_t thread_count() const override { return runner_.thread_count(); }
  const Footprints& footprints() const override { return runner_.footprints(); }
  std::size_t capacity() const override { return runner_.capacity(); }
  std::optional<Event> with_use(const Event& event, const Access& use) override {
    return runner_.with_use(event, use);
  }
  void submit(const Request& request) override {
    ++under_way_;
    stopping += request.then == Request::Then::stop ? 1 : 0;
    runner_.submit(request);
  }
  const Log& next() override {
    ++waits;
    full += under_way_-- == capacity() ? 1 : 0;
    return runner_.next();
  }

  std::size_t waits = 0, full = 0, stopping = 0;

 private:
  Runner& runner_;
  std::size_t under_way_ = 0;
};

// Four threads, each with blocks that do one thing or another: what a block does in another order
// has to be asked for all the time.
TEST(UnderWay, TheRunnerIsKeptBusy) {
  std::string text = "var x\nvar y\n";
  for (const char* name : {"p", "q", "r", "s"})
    text += std::string("thread ") + name +
            ": atomic { $0 = x; if $0 == 2 goto L; y = 1; L: x = $0+1 }; "
            "atomic { $1 = y; if $1 == 1 goto M; x = 2; M: y = 0 }\n";
  ModelRunner runner(parse_program(text));
  ShuffledRunner shuffled(runner, 16, 1);
  Watched watched(shuffled);
  const Result result = find_algorithm("optimal")->explore({watched, runner.machine()}, {});
  EXPECT_GT(result.counts.executions, 1000U);
  EXPECT_GT(watched.stopping, 1000U);
  EXPECT_GT(watched.full, watched.waits * 9 / 10);
}

TEST(UnderWay, TheLimitIsReachedAndNeverExceeded) {
  const Program program = find_family("writers")->make(3);  // 24 traces, 13 with observers
  ModelRunner runner(program);
  for (const char* name : {"optimal", "observers"}) {
    const Algorithm& algorithm = *find_algorithm(name);
    const std::uint64_t all = look_at(algorithm, runner, runner.machine(), {}).runs;
    for (const std::size_t capacity : {1U, 2U, 7U, 64U})
      for (std::uint64_t limit = 1; limit <= all + 1; ++limit) {
        SCOPED_TRACE(std::string(name) + ", capacity " + std::to_string(capacity) + ", limit " +
                     std::to_string(limit));
        ShuffledRunner shuffled(runner, capacity, limit);
        ExploreOptions options;
        options.max_executions = limit;
        const Seen seen = look_at(algorithm, shuffled, runner.machine(), options);
        EXPECT_EQ(seen.runs, std::min(limit, all));
        EXPECT_EQ(seen.result.counts.executions, seen.runs);
        EXPECT_EQ(seen.result.complete, limit >= all);
      }
  }
}

}  // namespace
}  // namespace heddle::interp
