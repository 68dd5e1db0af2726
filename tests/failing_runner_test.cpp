// The explorer on a runner that fails: whatever it hands back, the exploration says what happened,
// and what is left to do is not lost.
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/algorithm.hpp"
#include "core/order.hpp"
#include "interp/families.hpp"
#include "interp/runner.hpp"
#include "interp/text.hpp"

namespace heddle::interp {
namespace {

// Changes the logs of another runner, each as `fail` says, which gets the number of the request and
// whether it was to stop after its schedule.
class FailingRunner final : public Runner {
 public:
  using Fail = std::function<void(std::uint64_t number, bool stop, Log& log)>;

  FailingRunner(ModelRunner& runner, Fail fail) : runner_(runner), fail_(std::move(fail)) {}

  std::size_t thread_count() const override { return runner_.thread_count(); }
  const Footprints& footprints() const override { return runner_.footprints(); }
  std::size_t capacity() const override { return 1; }
  void submit(const Request& request) override {
    stop_ = request.then == Request::Then::stop;
    runner_.submit(request);
  }
  const Log& next() override {
    log_ = runner_.next();
    fail_(++count_, stop_, log_);
    return log_;
  }
  std::optional<Event> with_use(const Event& event, const Access& use) override {
    return knows_uses ? runner_.with_use(event, use) : std::nullopt;
  }

  bool knows_uses = true;

 private:
  ModelRunner& runner_;
  Fail fail_;
  std::uint64_t count_ = 0;
  bool stop_ = false;
  Log log_;
};

Program lastzero() { return find_family("lastzero")->make(3); }

class FailingRunnerTest : public testing::TestWithParam<const char*> {
 protected:
  Result explore(const FailingRunner::Fail& fail, const ExploreOptions& options = {},
                 bool knows_uses = true) {
    FailingRunner failing(runner_, fail);
    failing.knows_uses = knows_uses;
    return find_algorithm(GetParam())->explore({failing, runner_.machine()}, options);
  }
  Result undisturbed(const ExploreOptions& options = {}) {
    return explore([](auto, auto, Log&) {}, options);
  }
  void use(const std::string& text) { runner_ = ModelRunner(parse_program(text)); }

  ModelRunner runner_{lastzero()};
};

TEST_P(FailingRunnerTest, ADivergedRunIsSaidWithItsSchedule) {
  try {
    explore([](std::uint64_t n, bool, Log& log) {
      if (n != 3) return;
      log.ending = Ending::diverged;
      log.diverged_at = 1;
      log.why_diverged = "the test says so";
    });
    FAIL();
  } catch (const Diverged& d) {
    EXPECT_EQ(d.step, 1U);
    EXPECT_FALSE(d.schedule.empty());
    EXPECT_NE(std::string(d.what()).find("the test says so"), std::string::npos);
  }
}

TEST_P(FailingRunnerTest, ARunThatEndsBeforeItsLeafDiverges) {
  EXPECT_THROW(explore([](std::uint64_t n, bool, Log& log) {
                 if (n == 2) log.events = {};
               }),
               Diverged);
}

TEST_P(FailingRunnerTest, ARunThatDoesSomethingElseOnItsPathDiverges) {
  std::vector<Event> other;
  EXPECT_THROW(explore([&](std::uint64_t n, bool, Log& log) {
                 if (n != 2) return;
                 other.assign(log.events.begin(), log.events.end());
                 for (Event& e : other) e.footprint = Footprints::empty;
                 log.events = other;
               }),
               Diverged);
}

TEST_P(FailingRunnerTest, ARunThatFailsBeforeItsLeafIsAFindingAndNothingElseIsLost) {
  const Result whole = undisturbed();
  std::uint64_t findings = 0;
  ExploreOptions options;
  options.on_run = [&](const Log& log) {
    findings += log.failed() ? 1 : 0;
    return Decision::proceed;
  };
  // The last run: no other run is found by it.
  const std::uint64_t last = whole.counts.executions;
  const Result result = explore(
      [&](std::uint64_t n, bool, Log& log) {
        if (n != last) return;
        log.events = log.events.first(1);
        log.ending = Ending::died;
        log.outcome.finding = FindingKind::died;
      },
      options);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.counts.executions, whole.counts.executions);
  EXPECT_EQ(result.counts.findings, 1U);
  EXPECT_EQ(findings, 1U);
}

// What a log means follows from what was asked: a probe that dies is not taken for a leaf.
TEST_P(FailingRunnerTest, AProbeThatDiesIsAFindingAndTheExplorationContinues) {
  use("var x\nthread p: x = 1\nthread q: $0 = cas x 0 2; x = 3\nthread r: $0 = x\n");
  std::uint64_t probes = 0, deaths = 0;
  const Result result = explore(
      [&](std::uint64_t, bool stop, Log& log) {
        if (!stop || ++probes > 1) return;
        log.events = log.events.first(log.events.size() - 1);
        log.ending = Ending::died;
        log.outcome.finding = FindingKind::died;
        ++deaths;
      },
      {}, false);
  ASSERT_EQ(deaths, 1U);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.counts.findings, 1U);
}

TEST_P(FailingRunnerTest, AProbeThatDoesNotReachItsEndDiverges) {
  use("var x\nthread p: x = 1\nthread q: $0 = cas x 0 2; x = 3\nthread r: $0 = x\n");
  EXPECT_THROW(explore(
                   [](std::uint64_t, bool stop, Log& log) {
                     if (stop) log.events = log.events.first(log.events.size() - 1);
                   },
                   {}, false),
               Diverged);
}

TEST_P(FailingRunnerTest, WhatIsLearnedEndsItWithNothingLeft) {
  const Result result = explore([](std::uint64_t n, bool, Log& log) {
    log.learned = n == 3;
    if (log.learned) log.events = {};
  });
  EXPECT_TRUE(result.start_over);
  EXPECT_FALSE(result.complete);
  EXPECT_TRUE(result.left.empty());
}

TEST_P(FailingRunnerTest, WhatIsInterruptedIsLeftToDo) {
  const Result whole = undisturbed();
  for (std::uint64_t at = 1; at <= whole.counts.executions; ++at) {
    const Result first = explore([&](std::uint64_t n, bool, Log&) {
      if (n == at) throw Interrupted();
    });
    EXPECT_FALSE(first.complete);
    ASSERT_FALSE(first.left.empty());
    ExploreOptions options;
    options.resume = &first.left;
    const Result rest = undisturbed(options);
    EXPECT_TRUE(rest.complete);
    EXPECT_EQ(first.counts.executions + rest.counts.executions, whole.counts.executions);
  }
}

TEST_P(FailingRunnerTest, WhatIsInterruptedWhileItIsTakenUpAgainIsAsItWas) {
  const Result first = explore([](std::uint64_t n, bool, Log&) {
    if (n == 5) throw Interrupted();
  });
  ExploreOptions options;
  options.resume = &first.left;
  const Result again = explore([](auto, auto, Log&) { throw Interrupted(); }, options);
  EXPECT_EQ(again.left, first.left);
}

TEST_P(FailingRunnerTest, AFindingThatStopsItKeepsTheRest) {
  const Result whole = undisturbed();
  ExploreOptions options;
  options.on_run = [n = 0](const Log&) mutable {
    return ++n == 4 ? Decision::stop : Decision::proceed;
  };
  const Result first = undisturbed(options);
  EXPECT_EQ(first.counts.executions, 4U);
  EXPECT_FALSE(first.complete);
  ExploreOptions rest;
  rest.resume = &first.left;
  EXPECT_EQ(undisturbed(rest).counts.executions + 4, whole.counts.executions);
}

TEST_P(FailingRunnerTest, AnAnswerThatNothingAskedForIsABug) {
  EXPECT_THROW(explore([](std::uint64_t n, bool, Log& log) {
                 if (n == 2) log.ticket = 99;
               }),
               Bug);
}

INSTANTIATE_TEST_SUITE_P(Algorithms, FailingRunnerTest, testing::Values("optimal", "observers"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace heddle::interp
