// Time-outs: when they happen, what they do, how they are ordered and what is explored of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "core/algorithm.hpp"
#include "core/execution.hpp"
#include "interp/runner.hpp"
#include "interp/text.hpp"

namespace heddle::interp {
namespace {

// The steps of the run in which always the first enabled thread continues.
std::string first_run(const std::string& text) {
  const Program program = parse_program(text);
  ModelRunner runner(program);
  runner.submit({});
  const Log& log = runner.next();
  std::string out;
  for (const Event& e : log.events) {
    out += (out.empty() ? "" : ", ") + program.threads[e.move.thread].name;
    for (const Access& a : runner.footprints().accesses(e.footprint))
      out += " " + std::string(name_of(a.mode));
  }
  return out + (log.ending == Ending::deadlock ? ", deadlock" : "");
}

TEST(TimeOut, IsTheLastResort) {
  EXPECT_EQ(first_run("mutex m\nvar x\nthread p: lock m; x = 1\n"
                      "thread q: $0 = timed_lock m; x = $0\nthread r: x = 2; x = 3\n"),
            "p lock, p write, r write, r write, q time_out, q write");
}

TEST(TimeOut, IsOfOneThreadAndTheFirst) {
  EXPECT_EQ(first_run("sem s\nthread p: sem_wait s\nthread q: timed_sem_wait s; sem_post s\n"
                      "thread r: timed_sem_wait s\n"),
            "q time_out, q sem_post, p sem_wait, r time_out");
}

TEST(TimeOut, DoesNotHappenIfThereIsNoNeedToWait) {
  EXPECT_EQ(first_run("mutex m\ncond c\nsem s = 1\nthread p: timed_lock m; timed_sem_wait s; "
                      "timed_wait c m\nthread q: signal c\n"),
            "p lock, p sem_wait, p unlock wait, q signal, p wake_all, p lock");
}

TEST(TimeOut, OfAConditionTakesTheMutexAgainAndWaitsForThatWithoutEnd) {
  EXPECT_EQ(first_run("mutex m\ncond c\nthread p: lock m; timed_wait c m; unlock m\n"),
            "p lock, p unlock wait, p time_out, p lock, p unlock");
  EXPECT_EQ(first_run("mutex m\ncond c\nthread p: lock m; timed_wait c m\nthread q: lock m\n"),
            "p lock, p unlock wait, q lock, p time_out, deadlock");
}

// A signal after the time-out is for the threads that still wait.
TEST(TimeOut, OfAConditionLeavesTheQueue) {
  EXPECT_EQ(
      first_run("mutex m\nmutex n\ncond c\nthread p: lock m; timed_wait c m; signal c\n"
                "thread q: lock n; wait c n\n"),
      "p lock, p unlock wait, q lock, q unlock wait, p time_out, p lock, p signal, q wake_all, "
      "q lock");
}

TEST(TimeOut, IsKnownByItsValue) {
  for (const char* text :
       {"mutex m\nthread p: lock m\nthread q: $0 := 7; $0 = timed_lock m; claim $0 == 0; fence\n",
        "mutex m\nthread q: $0 := 7; $0 = timed_lock m; claim $0 == 1; fence\n",
        "sem s\nthread q: $0 := 7; $0 = timed_sem_wait s; claim $0 == 0; fence\n",
        "sem s = 1\nthread q: $0 := 7; $0 = timed_sem_wait s; claim $0 == 1; fence\n",
        "mutex m\ncond c\nthread q: lock m; $0 := 7; $0 = timed_wait c m; claim $0 == 0; fence\n",
        "mutex m\ncond c\nthread q: lock m; $0 := 7; $0 = timed_wait c m; claim $0 == 1; fence\n"
        "thread r: signal c\n"}) {
    ModelRunner runner(parse_program(text));
    runner.submit({});
    EXPECT_EQ(runner.next().ending, Ending::complete) << text;
    EXPECT_FALSE(runner.next().failed()) << text;
  }
}

TEST(TimeOut, IsAMoveOnlyThen) {
  ModelRunner runner(
      parse_program("sem s\nthread p: timed_sem_wait s\nthread q: fence\n"
                    "thread r: timed_sem_wait s\n"));
  const auto misfit = [&](const Schedule& schedule) {
    runner.submit({schedule});
    return runner.next().ending == Ending::diverged ? runner.next().why_diverged : "";
  };
  const std::string only_then =
      " times out only when no thread can continue, and after the threads before it";
  EXPECT_EQ(misfit({{0, 1}}), "thread p" + only_then);
  EXPECT_EQ(misfit({{1, 0}, {2, 1}}), "thread r" + only_then);
  EXPECT_EQ(misfit({{1, 0}, {0, 0}}), "thread p is blocked: sem_wait");
  EXPECT_EQ(misfit({{1, 1}}), "thread q has 1 alternative(s) here");
  EXPECT_EQ(misfit({{1, 0}, {0, 1}, {2, 1}}), "");
}

TEST(TimeOut, TheLogHasWhoWaitsAtEach) {
  ModelRunner runner(parse_program(
      "mutex m\nsem s\nthread p: lock m; timed_sem_wait s; timed_sem_wait s\nthread q: lock m\n"));
  for (const Schedule& schedule : {Schedule{}, Schedule{{0, 0}, {0, 1}, {0, 1}}}) {
    runner.submit({schedule});
    const Log& log = runner.next();
    std::string waiting;
    for (const Pending& p : log.pending)
      waiting += std::to_string(p.at) + ":" + std::to_string(p.thread) + " ";
    EXPECT_EQ(waiting, "1:0 1:1 2:0 2:1 3:1 ");
  }
}

// --- the order, of events made by hand: nothing but the time-out orders any of them

class TimeOutOrder : public testing::Test {
 protected:
  Event event(ThreadId thread, Location location, Mode mode) {
    const Access a{location, mode};
    return {{thread, 0}, footprints_.intern(std::span(&a, 1)), 0, 1};
  }

  Footprints footprints_;
};

TEST_F(TimeOutOrder, IsAfterAllBeforeItAndBeforeAllAfterIt) {
  const std::vector<Event> events = {event(0, 0, Mode::write), event(1, 1, Mode::write),
                                     event(2, 2, Mode::time_out), event(3, 0, Mode::write),
                                     event(1, 3, Mode::write)};
  const std::vector<Pending> pending = {{2, event(2, 2, Mode::sem_wait).footprint, 2}};
  for (const Observers observers : {Observers::no, Observers::yes}) {
    const Order order(footprints_, events, observers);
    Execution execution(footprints_, 4, observers);
    execution.assign(events, pending);
    for (std::uint32_t j = 0; j < events.size(); ++j)
      for (std::uint32_t i = 0; i < j; ++i) {
        const bool expected = i == 2 || j == 2 || (i < 2 && j > 2);
        EXPECT_EQ(order.before(i, j), expected) << i << j;
        EXPECT_EQ(execution.before(i, j), expected) << i << j;
      }
    EXPECT_TRUE(order.races().empty());
    EXPECT_TRUE(execution.races().empty());
  }
}

TEST_F(TimeOutOrder, WhoWaitsRacesWithWhatWasBeforeItAndNotAfterIt) {
  const std::vector<Event> events = {event(0, 0, Mode::lock), event(1, 1, Mode::time_out)};
  const Event lock = event(2, 0, Mode::lock);
  const Order order(footprints_, events, Observers::no);
  ASSERT_EQ(order.races_of_pending(lock, 1).size(), 1U);
  EXPECT_EQ(order.races_of_pending(lock, 1)[0].first, 0U);
  EXPECT_TRUE(order.races_of_pending(lock).empty());
  Execution execution(footprints_, 3, Observers::no);
  execution.assign(events, std::vector<Pending>{{2, lock.footprint, 1}, {2, lock.footprint, 2}});
  ASSERT_EQ(execution.races().size(), 1U);
  EXPECT_EQ(execution.races()[0].first, 0U);
  EXPECT_EQ(execution.races()[0].second, 2U);
  EXPECT_EQ(execution.place_of(2), 1U);
  EXPECT_EQ(execution.place_of(3), 2U);
}

// --- what is explored, counted by hand

struct Expected {
  const char* program;
  std::uint64_t traces, observers, outcomes, deadlocks;
};

TEST(TimeOut, IsExploredWithWhatCouldHavePreventedIt) {
  const Expected programs[] = {
      // The thread that holds the mutex waits for the other, which waits for the mutex.
      {"mutex m\nsem s\nthread p: lock m; $0 = timed_sem_wait s; unlock m\n"
       "thread q: lock m; sem_post s; unlock m\n",
       2, 2, 2, 0},
      // The thread that times out and the one that waits for ever could both have had the token.
      {"sem s = 1\nthread p: sem_wait s\nthread q: $0 = timed_sem_wait s\n", 2, 2, 2, 1},
      // The signal is lost, or in time.
      {"mutex m\ncond c\nthread p: lock m; $0 = timed_wait c m; unlock m\nthread q: signal c\n", 2,
       2, 2, 0},
      // p times out first, and wakes q: q never does.
      {"sem s\nthread p: $0 = timed_sem_wait s; sem_post s\nthread q: $0 = timed_sem_wait s\n", 1,
       1, 1, 0},
      // Writes before the time-out are seen after it, or not at all.
      {"sem s\nvar x\nthread p: x = 1\nthread q: x = 2\nthread r: timed_sem_wait s; $1 = x\n", 2, 2,
       2, 0},
      {"sem s\nvar x\nthread p: x = 1\nthread q: x = 2\nthread r: timed_sem_wait s\n", 2, 1, 1, 0},
  };
  for (const Expected& e : programs) {
    const Program program = parse_program(e.program);
    for (const Algorithm& algorithm : algorithms()) {
      if (!algorithm.time_outs) continue;
      SCOPED_TRACE(std::string(algorithm.name) + ":\n" + e.program);
      ModelRunner runner(program);
      std::set<std::uint64_t> outcomes;
      ExploreOptions options;
      options.on_run = [&](const Log& log) {
        outcomes.insert(log.observed);
        return Decision::proceed;
      };
      const Counts counts = algorithm.explore({runner, runner.machine()}, options).counts;
      EXPECT_EQ(outcomes.size(), e.outcomes);
      EXPECT_EQ(counts.deadlocks, e.deadlocks);
      if (!algorithm.any_order || algorithm.by_state) continue;
      EXPECT_EQ(counts.executions, algorithm.name == "optimal" ? e.traces : e.observers);
    }
  }
}

TEST(TimeOut, IsRefusedByThePublishedAlgorithms) {
  ModelRunner timed(parse_program("sem s\nthread p: timed_sem_wait s\n"));
  ModelRunner untimed(parse_program("sem s\nthread p: sem_wait s\n"));
  for (const Algorithm& algorithm : algorithms()) {
    EXPECT_EQ(algorithm.time_outs, algorithm.sound);
    EXPECT_NO_THROW(algorithm.explore({untimed, untimed.machine()}, {}));
    if (algorithm.time_outs)
      EXPECT_NO_THROW(algorithm.explore({timed, timed.machine()}, {}));
    else
      EXPECT_THROW(algorithm.explore({timed, timed.machine()}, {}), Misuse);
  }
}

}  // namespace
}  // namespace heddle::interp
