// The frontier alone: what it hands out, and what it makes of plans and runs written down by hand.
#include "core/frontier.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/reduction/optimal.hpp"

namespace heddle {
namespace {

using enum Mode;
using Last = Insertion::Last;

constexpr Location x = 0;
constexpr ThreadId p = 0, q = 1, r = 2;

class FrontierTest : public testing::Test {
 protected:
  Event event(ThreadId thread, Location location, Mode mode, Varies varies = Varies::no) {
    const Access access{location, mode};
    return {.move = {thread, 0}, .footprint = footprints_.intern({&access, 1}, varies)};
  }
  static Log log_of(const std::vector<Event>& events) {
    Log log;
    log.events = events;
    return log;
  }
  static Schedule moves(const Request& request) {
    return {request.schedule.begin(), request.schedule.end()};
  }
  static std::vector<ThreadId> threads(std::span<const Event> events) {
    std::vector<ThreadId> out;
    for (const Event& e : events) out.push_back(e.move.thread);
    return out;
  }

  // Claims the leftmost leaf and runs it; the plan is applied.
  std::uint64_t run(const std::vector<Event>& events, const Plan& plan = {}) {
    HEDDLE_CHECK(frontier_.has_leaf());
    const std::uint64_t ticket = frontier_.claim_leaf().ticket;
    frontier_.task(ticket);
    frontier_.grow(log_of(events));
    frontier_.apply(plan);
    return ticket;
  }

  Footprints footprints_;
  Frontier<Optimal> frontier_{footprints_, Optimal(footprints_), ExploreOptions::Pick::leftmost, 1};
  const Event p_x_ = event(p, x, write), q_x_ = event(q, x, write), r_x_ = event(r, x, write);
};

TEST_F(FrontierTest, BeginsWithOneLeaf) {
  ASSERT_TRUE(frontier_.has_leaf());
  EXPECT_FALSE(frontier_.claim_urgent().has_value());
  ASSERT_TRUE(frontier_.has_leaf());
  const Request request = frontier_.claim_leaf();
  EXPECT_EQ(moves(request), Schedule{});
  EXPECT_EQ(request.then, Request::Then::proceed);
  EXPECT_FALSE(frontier_.has_leaf());
  const Task task = frontier_.task(request.ticket);
  EXPECT_EQ(task.kind, Task::Kind::leaf);
  EXPECT_TRUE(task.path.empty());
  frontier_.finish(request.ticket);
  EXPECT_FALSE(frontier_.has_leaf());
}

TEST_F(FrontierTest, AnInsertionIsALeafWithWhatIsLeftOfIt) {
  Plan plan;
  plan.add(0, std::vector{q_x_}, Last::exact);
  plan.add(1, std::vector{r_x_}, Last::exact);
  frontier_.finish(run({p_x_, q_x_, r_x_}, plan));
  // Leftmost first: below the run's own first event.
  ASSERT_TRUE(frontier_.has_leaf());
  const Request deep = frontier_.claim_leaf();
  EXPECT_EQ(moves(deep), (Schedule{{p, 0}, {r, 0}}));
  EXPECT_EQ(threads(deep.known), (std::vector<ThreadId>{p, r}));
  const Task task = frontier_.task(deep.ticket);
  EXPECT_EQ(threads(task.path), (std::vector<ThreadId>{p, r}));
  EXPECT_TRUE(task.left_of(0).empty());
  EXPECT_EQ(threads(task.left_of(1)), (std::vector<ThreadId>{q}));
  EXPECT_EQ(task.attached_at, 1U);
  EXPECT_EQ(task.shared, 1U);
  ASSERT_TRUE(frontier_.has_leaf());
  EXPECT_EQ(moves(frontier_.claim_leaf()), (Schedule{{q, 0}}));
}

TEST_F(FrontierTest, WhatIsInsertedTwiceIsThereOnce) {
  Plan plan;
  plan.add(0, std::vector{q_x_}, Last::exact);
  plan.add(0, std::vector{q_x_}, Last::exact);
  frontier_.finish(run({p_x_, q_x_}, plan));
  ASSERT_TRUE(frontier_.has_leaf());
  frontier_.claim_leaf();
  EXPECT_FALSE(frontier_.has_leaf());
}

TEST_F(FrontierTest, WhatIsNotKnownIsProbedBeforeLeavesAreClaimed) {
  const Event varies = event(q, x, update, Varies::mode);
  Plan plan;
  plan.add(0, std::vector{varies}, Last::assumed);  // there is nothing that it could hang on, but
  plan.add(1, std::vector{r_x_}, Last::unknown);    // what is added to the tree has to be exact
  frontier_.finish(run({p_x_, q_x_, r_x_}, plan));
  EXPECT_FALSE(frontier_.has_leaf());
  const auto last = frontier_.claim_urgent();
  ASSERT_TRUE(last.has_value());
  EXPECT_EQ(last->then, Request::Then::stop);
  EXPECT_EQ(moves(*last), (Schedule{{p, 0}, {r, 0}}));
  const auto first = frontier_.claim_urgent();
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(moves(*first), (Schedule{{q, 0}}));
  EXPECT_FALSE(frontier_.claim_urgent().has_value());
  const Task probe = frontier_.task(first->ticket);
  EXPECT_EQ(probe.kind, Task::Kind::probe);
  EXPECT_EQ(threads(probe.path), (std::vector<ThreadId>{p}));
  EXPECT_EQ(threads(probe.v), (std::vector<ThreadId>{q}));
  Plan known;
  known.add(0, std::vector{varies}, Last::exact);
  frontier_.apply(known);
  frontier_.finish(first->ticket);
  ASSERT_TRUE(frontier_.has_leaf());
  EXPECT_EQ(moves(frontier_.claim_leaf()), (Schedule{{q, 0}}));
}

TEST_F(FrontierTest, OtherAlternativesArePlannedBesideAChoice) {
  Event choice = event(p, x, read);
  choice.move.alternative = 1;
  choice.alternatives = 3;
  frontier_.finish(run({choice}));
  ASSERT_TRUE(frontier_.has_leaf());
  EXPECT_EQ(moves(frontier_.claim_leaf()), (Schedule{{p, 0}}));
  ASSERT_TRUE(frontier_.has_leaf());
  EXPECT_EQ(moves(frontier_.claim_leaf()), (Schedule{{p, 2}}));
  EXPECT_FALSE(frontier_.has_leaf());
}

TEST_F(FrontierTest, ARunThatDoesSomethingElseDiverges) {
  Plan plan;
  plan.add(0, std::vector{q_x_}, Last::exact);
  frontier_.finish(run({p_x_, q_x_}, plan));
  ASSERT_TRUE(frontier_.has_leaf());
  const std::uint64_t ticket = frontier_.claim_leaf().ticket;
  frontier_.task(ticket);
  EXPECT_EQ(frontier_.divergence(log_of({q_x_, p_x_})), std::nullopt);
  EXPECT_EQ(frontier_.divergence(log_of({event(q, x, read), p_x_})), 0U);
}

TEST_F(FrontierTest, IsSavedWithAllThatIsClaimedAndRestored) {
  Plan plan;
  plan.add(0, std::vector{q_x_}, Last::exact);
  plan.add(1, std::vector{r_x_}, Last::unknown);
  frontier_.finish(run({p_x_, q_x_, r_x_}, plan));
  ASSERT_TRUE(frontier_.has_leaf());
  frontier_.claim_leaf();
  ASSERT_TRUE(frontier_.claim_urgent().has_value());
  const SavedFrontier saved = frontier_.save();
  EXPECT_EQ(frontier_.save(), saved);  // nothing changed
  ASSERT_EQ(saved.deferred.size(), 1U);
  EXPECT_EQ(saved.deferred[0].path, (Schedule{{p, 0}, {q, 0}}));
  EXPECT_EQ(saved.deferred[0].v, (Schedule{{r, 0}}));

  Frontier<Optimal> other(footprints_, Optimal(footprints_), ExploreOptions::Pick::leftmost, 1);
  other.restore(saved);
  EXPECT_EQ(other.save(), saved);  // before anything is known of it, too
  EXPECT_FALSE(other.has_leaf());  // what the moves do comes first
  std::vector<std::uint64_t> ends;
  std::vector<Schedule> schedules;
  while (const auto end = other.claim_urgent()) {
    ends.push_back(end->ticket);
    schedules.push_back(moves(*end));
  }
  EXPECT_EQ(schedules, (std::vector<Schedule>{{{p, 0}, {q, 0}, {r, 0}}, {{q, 0}}}));
  const std::vector<std::vector<Event>> runs = {{p_x_, q_x_, r_x_}, {q_x_}};
  for (std::size_t k = 0; k < ends.size(); ++k) {
    EXPECT_FALSE(other.has_leaf());
    EXPECT_FALSE(other.claim_urgent().has_value());
    const Task end = other.task(ends[k]);
    EXPECT_EQ(end.kind, Task::Kind::end);
    other.learn(end, runs[k]);
    other.finish(ends[k]);
  }
  const auto probe = other.claim_urgent();
  ASSERT_TRUE(probe.has_value());
  EXPECT_EQ(moves(*probe), (Schedule{{p, 0}, {r, 0}}));
  EXPECT_EQ(threads(other.task(probe->ticket).left_of(0)), std::vector<ThreadId>{});
  ASSERT_TRUE(other.has_leaf());
  const Request leaf = other.claim_leaf();
  EXPECT_EQ(moves(leaf), (Schedule{{q, 0}}));
  EXPECT_EQ(other.task(leaf.ticket).left_of(0)[0], p_x_);
}

TEST_F(FrontierTest, TicketsThatAreNotInUseAreRefused) {
  EXPECT_THROW(frontier_.task(0), Bug);
  EXPECT_THROW(frontier_.finish(3), Bug);
  const std::uint64_t ticket = run({p_x_});
  frontier_.finish(ticket);
  EXPECT_THROW(frontier_.finish(ticket), Bug);
  EXPECT_THROW(frontier_.claim_leaf(), Bug);  // there is none
}

}  // namespace
}  // namespace heddle
