// Plans, made of tasks and logs that are written down by hand: there is no tree and no runner.
#include "core/planner.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "core/reduction/observers.hpp"
#include "core/reduction/optimal.hpp"

namespace heddle {
namespace {

using enum Mode;
using Last = Insertion::Last;

constexpr Location x = 0, y = 1, m = 2;
constexpr ThreadId p = 0, q = 1, r = 2;

// Knows no other use of any object.
struct NoUses : Uses {
  std::optional<Event> with_use(const Event&, const Access&) override { return std::nullopt; }
};

// What a task refers to.
struct Asked {
  Task::Kind kind = Task::Kind::leaf;
  std::vector<Event> path = {};
  std::vector<std::vector<Event>> left = {};  // by event of the path; none for those missing
  std::uint32_t attached_at = 0;
  std::vector<Event> v = {};
};

// An insertion, as threads.
struct Planned {
  std::uint32_t at;
  std::vector<ThreadId> v;
  Last last;

  friend bool operator==(const Planned&, const Planned&) = default;
  friend void PrintTo(const Planned& planned, std::ostream* out) {
    *out << "at " << planned.at << ":";
    for (const ThreadId t : planned.v) *out << " " << t;
    *out << " (" << static_cast<int>(planned.last) << ")";
  }
};
using Plans = std::vector<Planned>;

class PlannerTest : public testing::Test {
 protected:
  Event event(ThreadId thread, Location location, Mode mode, Varies varies = Varies::no) {
    const Access access{location, mode};
    return {.move = {thread, 0}, .footprint = footprints_.intern({&access, 1}, varies)};
  }

  template <typename Reduction>
  Plans plan(Planner<Reduction>& planner, const Asked& asked, const std::vector<Event>& events,
             const std::vector<Pending>& pending = {}, std::size_t shared = 0,
             Ending ending = Ending::complete) {
    std::vector<Event> left;
    std::vector<std::uint32_t> left_end;
    for (std::size_t k = 0; k < asked.path.size(); ++k) {
      if (k < asked.left.size())
        left.insert(left.end(), asked.left[k].begin(), asked.left[k].end());
      left_end.push_back(static_cast<std::uint32_t>(left.size()));
    }
    const Task task{7, asked.kind, asked.path, left, left_end, asked.attached_at, asked.v, shared};
    Log log;
    log.ending = ending;
    log.events = events;
    log.pending = pending;
    const Plan& made = planner.plan(task, log);
    Plans out;
    for (std::size_t k = 0; k < made.size(); ++k) {
      Planned& planned = out.emplace_back(made[k].at, std::vector<ThreadId>(), made[k].last);
      for (const Event& e : made[k].v) planned.v.push_back(e.move.thread);
    }
    return out;
  }

  template <typename Reduction>
  Planner<Reduction> planner() {
    return {footprints_, 3, Reduction(footprints_), uses_};
  }
  // By a planner that has seen nothing.
  Plans optimal(const Asked& asked, const std::vector<Event>& events,
                const std::vector<Pending>& pending = {}, Ending ending = Ending::complete) {
    auto planner = this->planner<Optimal>();
    return plan(planner, asked, events, pending, 0, ending);
  }
  Plans observers(const Asked& asked, const std::vector<Event>& events) {
    auto planner = this->planner<WithObservers>();
    return plan(planner, asked, events);
  }

  Footprints footprints_;
  NoUses uses_;
};

TEST_F(PlannerTest, StepsThatCommuteCallForNothing) {
  EXPECT_EQ(optimal({}, {}), Plans{});
  EXPECT_EQ(optimal({}, {event(p, x, write), event(q, y, write), event(r, x + 9, read)}), Plans{});
}

TEST_F(PlannerTest, ARaceIsReversedWithWhatDoesNotHappenAfterIt) {
  const Event first = event(p, x, write), after = event(p, y, read), other = event(r, m, write),
              second = event(q, x, write);
  EXPECT_EQ(optimal({}, {first, after, other, second}), (Plans{{0, {r, q}, Last::exact}}));
}

TEST_F(PlannerTest, EachRaceHasItsInsertionInOrder) {
  EXPECT_EQ(optimal({}, {event(p, x, write), event(q, x, write), event(r, x, write)}),
            (Plans{{0, {q}, Last::exact}, {1, {r}, Last::exact}}));
}

TEST_F(PlannerTest, WhatIsExploredLeftOfThePathIsNotPlannedAgain) {
  const Event p_x = event(p, x, write), q_x = event(q, x, write), r_y = event(r, y, write);
  EXPECT_EQ(optimal({.path = {p_x}, .left = {{q_x}}}, {p_x, q_x}), Plans{});
  // What is left of an earlier event sleeps until it wakes.
  EXPECT_EQ(optimal({.path = {r_y, p_x}, .left = {{q_x}}}, {r_y, p_x, q_x}), Plans{});
  const Event p_other = event(p, x, read);
  EXPECT_EQ(optimal({.path = {p_x, p_other}, .left = {{q_x}}}, {p_x, p_other, q_x}),
            (Plans{{1, {q}, Last::exact}}));
}

TEST_F(PlannerTest, ARunInWhichABranchSleepsToTheEndIsRefused) {
  const Event p_x = event(p, x, write), q_y = event(q, y, write);
  EXPECT_THROW(optimal({.path = {p_x}, .left = {{q_y}}}, {p_x}), Bug);
}

TEST_F(PlannerTest, RacesOfOlderLeavesAreNotReversedAgain) {
  const Event p_x = event(p, x, write), q_x = event(q, x, write), q_y = event(q, y, write),
              r_y = event(r, y, write);
  const std::vector<Event> run = {p_x, q_x, q_y, r_y};
  EXPECT_EQ(optimal({.path = run, .attached_at = 0}, run),
            (Plans{{0, {q}, Last::exact}, {2, {r}, Last::exact}}));
  EXPECT_EQ(optimal({.path = run, .attached_at = 3}, run), (Plans{{2, {r}, Last::exact}}));
}

TEST_F(PlannerTest, WhatIsSharedSavesWorkAndChangesNothing) {
  const Event p_x = event(p, x, write), q_x = event(q, x, write), r_x = event(r, x, write),
              q_y = event(q, y, write);
  auto planner = this->planner<Optimal>();
  plan(planner, {}, {p_x, q_x, r_x});
  const std::vector<Event> next = {p_x, r_x, q_x, q_y};
  const Asked asked{.path = {p_x, r_x}, .left = {{}, {q_x}}, .attached_at = 1};
  EXPECT_EQ(plan(planner, asked, next, {}, 1), optimal(asked, next));
  const Asked last{.path = {q_y}, .left = {{p_x}}};
  EXPECT_EQ(plan(planner, last, {q_y, q_x, p_x}, {}, 0), optimal(last, {q_y, q_x, p_x}));
}

TEST_F(PlannerTest, ObserversReverseWritesOnlyIfOneIsRead) {
  const Event p_x = event(p, x, write), q_x = event(q, x, write), r_x = event(r, x, read);
  EXPECT_EQ(observers({}, {p_x, q_x}), Plans{});
  // The second is the one that is seen: to see the other, it comes last.
  const Plans plans = observers({}, {p_x, q_x, r_x});
  EXPECT_NE(std::ranges::find(plans, Planned{0, {q, p, r}, Last::exact}), plans.end());
  EXPECT_EQ(optimal({}, {p_x, q_x}), (Plans{{0, {q}, Last::exact}}));
}

TEST_F(PlannerTest, WhatVariesIsAssumedUnlessThatMatters) {
  const Event p_x = event(p, x, write), q_x = event(q, x, update, Varies::mode);
  EXPECT_EQ(optimal({}, {p_x, q_x}), (Plans{{0, {q}, Last::assumed}}));
  // A branch that sleeps hangs on what it does there.
  const Event r_x = event(r, x, read), r_later = event(r, x, write);
  const Plans plans = optimal({.path = {p_x}, .left = {{r_x}}}, {p_x, q_x, r_x, r_later});
  ASSERT_FALSE(plans.empty());
  EXPECT_EQ(plans[0], (Planned{0, {q}, Last::unknown}));
}

TEST_F(PlannerTest, WhatWasProbedIsExact) {
  const Event p_x = event(p, x, write), before = event(q, x, update, Varies::mode),
              there = event(q, x, read, Varies::mode), r_x = event(r, x, read);
  const Asked probe{.kind = Task::Kind::probe, .path = {p_x}, .left = {{r_x}}, .v = {before}};
  // It turns out to commute with the branch that sleeps, which so covers it; or not.
  EXPECT_EQ(optimal(probe, {there}), Plans{});
  EXPECT_EQ(optimal(probe, {before}), (Plans{{0, {q}, Last::exact}}));
}

TEST_F(PlannerTest, AProbeThatChoosesAsksForTheNextAlternative) {
  Event choice = event(q, x, write, Varies::choices);
  const Event p_x = event(p, x, write);
  EXPECT_EQ(optimal({}, {p_x, choice}), (Plans{{0, {q}, Last::unknown}}));
  choice.alternatives = 3;  // the next is 2
  const Asked probe{.kind = Task::Kind::probe, .path = {p_x}, .v = {choice}};
  EXPECT_EQ(optimal(probe, {choice}), (Plans{{0, {q}, Last::unknown}, {0, {q}, Last::exact}}));
}

TEST_F(PlannerTest, AThreadThatWaitsAtTheEndRacesAsWell) {
  const Event p_lock = event(p, m, lock), q_lock = event(q, m, lock);
  EXPECT_EQ(optimal({}, {p_lock}, {{q, q_lock.footprint, 1}}, Ending::deadlock),
            (Plans{{0, {q}, Last::exact}}));
}

TEST_F(PlannerTest, AStepThatEndsTheProgramIsLeftOutOfOtherReversals) {
  const Event p_x = event(p, x, write), r_y = event(r, y, write), q_x = event(q, x, write),
              death = event(r, y + 5, write);
  EXPECT_EQ(optimal({}, {p_x, q_x, r_y, death}), (Plans{{0, {r, r, q}, Last::exact}}));
  EXPECT_EQ(optimal({}, {p_x, q_x, r_y, death}, {}, Ending::died),
            (Plans{{0, {r, q}, Last::exact}}));
}

TEST_F(PlannerTest, ALogThatIsNotOfItsTaskIsRefused) {
  const Event p_x = event(p, x, write), q_x = event(q, x, write);
  EXPECT_THROW(optimal({.path = {p_x, q_x}}, {p_x}), Bug);
  const Asked probe{.kind = Task::Kind::probe, .path = {p_x}, .v = {q_x}};
  EXPECT_THROW(optimal(probe, {q_x, p_x}), Bug);
  EXPECT_THROW(optimal({.kind = Task::Kind::end, .path = {p_x}}, {p_x}), Bug);
}

}  // namespace
}  // namespace heddle
