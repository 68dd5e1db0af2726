// Happens-before and races by their definition, on sequences made by hand.
#include "core/order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "base/random.hpp"

namespace heddle {
namespace {

using enum Mode;

constexpr Location x = 0, y = 1, m = 2, n = 3, l = 4, c = 5, s = 6, box = 7;
constexpr ThreadId p = 0, q = 1, r = 2;

using Events = std::vector<std::size_t>;
using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

class OrderTest : public testing::Test {
 protected:
  Event event(ThreadId thread, const std::vector<Access>& accesses, std::uint16_t alternative = 0) {
    Event e;
    e.move = {thread, alternative};
    e.footprint = footprints_.intern(accesses);
    return e;
  }
  void then(ThreadId thread, const std::vector<Access>& accesses) {
    events_.push_back(event(thread, accesses));
  }
  void then(ThreadId thread, Location location, Mode mode, std::uint64_t a = 0,
            std::uint64_t b = 0) {
    then(thread, {{location, mode, {}, a, b}});
  }
  Order order(Observers observers = Observers::no) const {
    return {footprints_, events_, observers};
  }
  static Pairs pairs(const std::vector<Order::Race>& races) {
    Pairs out;
    for (const Order::Race& race : races) out.emplace_back(race.first, race.second);
    std::ranges::sort(out);
    return out;
  }
  Pairs races(Observers observers = Observers::no) const { return pairs(order(observers).races()); }
  std::uint64_t canonical(Observers observers = Observers::no) const {
    return order(observers).canonical();
  }

  Footprints footprints_;
  std::vector<Event> events_;
};

TEST_F(OrderTest, IsOfProgramAndDependenceAndTransitive) {
  then(p, x, write);  // 0
  then(q, y, write);  // 1
  then(q, x, read);   // 2
  then(r, y, read);   // 3
  then(r, {});        // 4
  then(p, {});        // 5
  const Order o = order();
  EXPECT_TRUE(o.before(0, 2));  // a dependence
  EXPECT_TRUE(o.before(1, 2));  // one thread
  EXPECT_TRUE(o.before(1, 4));  // both
  EXPECT_FALSE(o.before(0, 1));
  EXPECT_FALSE(o.before(0, 3));
  EXPECT_FALSE(o.before(2, 3));
  EXPECT_TRUE(o.before(0, 5));
  EXPECT_TRUE(o.adjacent(1, 3) && !o.adjacent(1, 4));
  EXPECT_EQ(races(), (Pairs{{0, 2}, {1, 3}}));
}

TEST_F(OrderTest, RacesAreWithNothingBetween) {
  then(p, x, write);
  then(q, x, write);
  then(r, x, read);
  EXPECT_TRUE(order().before(0, 2));
  EXPECT_EQ(races(), (Pairs{{0, 1}, {1, 2}}));
}

TEST_F(OrderTest, EachOfTwoReadersRacesWithAWriter) {
  then(p, x, read);
  then(q, x, read);
  then(r, x, write);
  EXPECT_FALSE(order().before(0, 1));
  EXPECT_EQ(races(), (Pairs{{0, 2}, {1, 2}}));
}

TEST_F(OrderTest, WhatLedAThreadThereIsNoRace) {
  then(p, x, write);
  then(p, y, write);
  then(q, y, read);
  then(q, x, read);
  EXPECT_EQ(races(), (Pairs{{1, 2}}));  // q's second read comes after p's writes in any case
}

TEST_F(OrderTest, NotdepLeavesOutWhatHappensAfterTheFirst) {
  then(p, x, write);  // 0
  then(r, y, write);  // 1: stays
  then(p, y, read);   // 2: p's next, after 0
  then(q, x, read);   // 3: the race's second
  then(r, {});        // 4: stays
  const Order o = order();
  EXPECT_EQ(o.notdep({0, 3}), (Events{1, 4}));
  EXPECT_EQ(o.notdep({0, 3, {1}}), (Events{}));  // 1 comes along, and 4 is after it
}

TEST_F(OrderTest, PushAndPopAreOneEventMoreOrLess) {
  then(p, x, write);
  then(q, x, read);
  Order o = order();
  const std::uint64_t before = o.canonical();
  o.push(event(r, {{x, write}}));
  EXPECT_EQ(pairs(o.races_of_last()), (Pairs{{1, 2}}));
  EXPECT_NE(o.canonical(), before);
  o.pop();
  EXPECT_EQ(o.canonical(), before);
  EXPECT_EQ(pairs(o.races_of_last()), (Pairs{{0, 1}}));
  Order with_observers = order(Observers::yes);
  EXPECT_THROW(with_observers.push(event(r, {})), Bug);
}

// --- what waits

TEST_F(OrderTest, ALockRacesWithThePreviousLockAndNotTheUnlock) {
  for (const ThreadId t : {p, q, r}) {
    then(t, m, lock);
    then(t, m, unlock);
  }
  EXPECT_TRUE(order().before(1, 2));
  EXPECT_EQ(races(), (Pairs{{0, 2}, {2, 4}}));
}

TEST_F(OrderTest, ALockThatHadToComeLaterIsNoRace) {
  then(p, m, lock);
  then(p, x, write);
  then(q, x, read);
  then(p, m, unlock);
  then(q, m, lock);
  EXPECT_EQ(races(), (Pairs{{1, 2}}));
}

TEST_F(OrderTest, AFailedTryRacesWithLockAndUnlock) {
  then(p, m, lock);
  then(q, m, try_lock_fail);
  then(p, m, unlock);
  then(r, m, lock);
  EXPECT_EQ(races(), (Pairs{{0, 1}, {0, 3}, {1, 2}}));
}

TEST_F(OrderTest, WhatWaitsForEverRacesWithWhatExcludesIt) {
  then(p, m, lock);
  then(q, n, lock);
  const Order o = order();
  EXPECT_EQ(pairs(o.races_of_pending(event(p, {{n, lock}}))), (Pairs{{1, 2}}));
  EXPECT_EQ(pairs(o.races_of_pending(event(q, {{m, lock}}))), (Pairs{{0, 2}}));
  EXPECT_EQ(pairs(o.races_of_pending(event(p, {{m, lock}}))), (Pairs{}));  // its own
}

TEST_F(OrderTest, AWriterComesBeforeAllReadersOrNone) {
  then(p, l, read_lock);
  then(q, l, read_lock);
  const Order o = order();
  const auto found = o.races_of_pending(event(r, {{l, write_lock}}));
  ASSERT_EQ(pairs(found), (Pairs{{0, 2}}));
  EXPECT_EQ(found[0].also, (Events{1}));
}

TEST_F(OrderTest, AWriterComesBeforeEachReaderThatGoesAgain) {
  then(p, l, read_lock);
  then(q, l, read_lock);
  then(p, l, read_unlock);
  then(q, l, read_unlock);
  then(r, l, write_lock);
  const auto found = order().races();
  ASSERT_EQ(pairs(found), (Pairs{{0, 4}, {1, 4}}));
  for (const Order::Race& race : found) EXPECT_EQ(race.also, (Events{}));
}

TEST_F(OrderTest, AReaderThatLedTheWriterThereStays) {
  then(p, l, read_lock);
  then(q, l, read_lock);
  then(q, x, write);
  then(r, x, read);  // r is here because q reads
  EXPECT_EQ(pairs(order().races_of_pending(event(r, {{l, write_lock}}))), (Pairs{}));
}

TEST_F(OrderTest, ASemaphoreRacesIfItNeedNotHaveWaited) {
  then(p, s, sem_post, 0);
  then(q, s, sem_wait, 0);  // from 0: it had to wait
  EXPECT_EQ(races(), (Pairs{}));
  events_.clear();
  then(p, s, sem_post, 1);
  then(q, s, sem_wait, 1);
  EXPECT_EQ(races(), (Pairs{{0, 1}}));
  events_.clear();
  then(p, s, sem_wait, 1);
  then(p, s, sem_post, 1);
  then(q, s, sem_wait, 1);
  EXPECT_EQ(races(), (Pairs{{0, 2}}));  // with the wait; before the post alone it could not go
}

TEST_F(OrderTest, AWakeRacesWithWhoTookAToken) {
  then(p, {{m, unlock}, {c, wait}});
  then(q, {{m, unlock}, {c, wait}});
  then(r, c, signal, 1, 1);
  then(p, c, wake, 1, 0);
  EXPECT_EQ(races(), (Pairs{{0, 2}, {1, 2}}));  // it had to wait for the signal
  const auto waiting = [&](std::uint64_t since) {
    return event(q, {{c, wake, {}, 0xffffffff, since}});
  };
  EXPECT_EQ(pairs(order().races_of_pending(waiting(0))), (Pairs{{3, 4}}));
  EXPECT_EQ(pairs(order().races_of_pending(waiting(1))), (Pairs{}));  // the token is not for it
}

// Who has a token wakes when it likes; which signal left the token, the order of signals tells.
TEST_F(OrderTest, AWakeIsNotOrderedWithLaterSignals) {
  then(p, {{m, unlock}, {c, wait}});
  then(q, c, broadcast, 1);
  then(r, c, signal, 0, 1);
  then(p, c, wake_all, 1, 0);
  const Order o = order();
  EXPECT_EQ(races(), (Pairs{{0, 1}, {1, 2}}));
  EXPECT_TRUE(o.before(1, 3));
  EXPECT_FALSE(o.before(2, 3));
  const std::uint64_t before_it = canonical();
  std::swap(events_[2], events_[3]);
  EXPECT_EQ(canonical(), before_it);
}

TEST_F(OrderTest, CreateAndJoinAndBarriersOrderWithoutRaces) {
  constexpr Location child = 8, barrier = 9;
  then(p, x, write);
  then(p, child, create, q);
  then(q, x, read);
  then(q, barrier, arrive, 0, 2);
  then(p, barrier, arrive, 0, 2);
  then(p, barrier, leave, 0);
  then(q, barrier, leave, 0);
  then(p, {{x, write}, {child, joined, {}, q}});
  const Order o = order();
  EXPECT_EQ(races(), (Pairs{}));
  EXPECT_TRUE(o.before(0, 2));
  EXPECT_FALSE(o.before(3, 4));
  EXPECT_TRUE(o.before(4, 6));
  EXPECT_TRUE(o.before(6, 7));
}

// --- observers

TEST_F(OrderTest, TwoWritesAreOrderedOnlyIfOneIsRead) {
  then(p, x, write);
  then(q, x, write);
  EXPECT_TRUE(order().before(0, 1));
  EXPECT_FALSE(order(Observers::yes).before(0, 1));
  EXPECT_EQ(races(Observers::yes), (Pairs{}));
  then(r, x, read);
  EXPECT_TRUE(order(Observers::yes).before(0, 1));
  EXPECT_EQ(races(Observers::yes), (Pairs{{0, 1}, {1, 2}}));
  EXPECT_EQ(order(Observers::yes).observers(0, 1), (Events{2}));
  EXPECT_EQ(order().observers(0, 1), (Events{}));
}

TEST_F(OrderTest, OverwrittenWritesAreNotObserved) {
  then(p, x, write);
  then(q, x, write);
  then(r, x, write);
  then(r, x, read);
  const Order o = order(Observers::yes);
  EXPECT_FALSE(o.before(0, 1));
  EXPECT_TRUE(o.before(0, 2));
  EXPECT_EQ(races(Observers::yes), (Pairs{{0, 2}, {1, 2}}));
}

TEST_F(OrderTest, AWriteReadBeforeTheNextIsOrderedByItsReader) {
  then(p, x, write);
  then(r, x, read);
  then(q, x, write);
  EXPECT_TRUE(order(Observers::yes).before(0, 2));
  EXPECT_EQ(races(Observers::yes), (Pairs{{0, 1}, {1, 2}}));
}

TEST_F(OrderTest, ObserversAreTheFirstThatSee) {
  constexpr ThreadId t = 3;
  then(p, x, write);
  then(q, x, write);
  then(r, x, read);  // 2
  then(r, x, read);  // 3: after an observer
  then(t, x, read);  // 4
  EXPECT_EQ(order(Observers::yes).observers(0, 1), (Events{2, 4}));
}

TEST_F(OrderTest, AWriteOfABlockIsAlwaysOrdered) {
  then(p, {{x, write}, {y, write}});
  then(q, x, write);
  EXPECT_TRUE(order(Observers::yes).before(0, 1));
  EXPECT_EQ(races(Observers::yes), (Pairs{{0, 1}}));
  EXPECT_EQ(order(Observers::yes).observers(0, 1), (Events{}));
}

TEST_F(OrderTest, TwoSendsAreOrderedIfAReceiveCouldHaveTakenEither) {
  then(p, box, send, 10, 1);
  then(q, box, send, 20, 2);
  EXPECT_EQ(races(), (Pairs{{0, 1}}));
  EXPECT_EQ(races(Observers::yes), (Pairs{}));  // no thread received
  then(r, box, receive, 10, 3);
  EXPECT_EQ(races(Observers::yes), (Pairs{{0, 1}}));
  EXPECT_EQ(order(Observers::yes).observers(0, 1), (Events{2}));
  events_.back() = event(r, {{box, receive, {}, 10, 1}});  // accepts the first's tag only
  EXPECT_EQ(races(Observers::yes), (Pairs{}));
}

TEST_F(OrderTest, SendsTakenInTheOtherOrderAreNotObserved) {
  then(p, box, send, 10, 1);
  then(q, box, send, 20, 2);
  then(r, box, receive, 20, 2);  // picks the later one
  then(r, box, receive, 10, 3);  // when the other was gone
  EXPECT_EQ(races(Observers::yes), (Pairs{}));
  EXPECT_TRUE(order(Observers::yes).before(1, 3));
}

TEST_F(OrderTest, AReceiveThatWouldNotWaitRaces) {
  then(p, box, send, 10, 1);
  then(r, box, try_receive, 10, 1);
  then(r, box, try_receive_none, 0, 1);
  then(q, box, send, 20, 1);
  EXPECT_EQ(races(Observers::yes), (Pairs{{0, 1}, {2, 3}}));
  EXPECT_EQ(races(), (Pairs{{0, 1}, {2, 3}}));
}

// --- canonical

TEST_F(OrderTest, CanonicalIsEqualForEquivalentSequencesOnly) {
  then(p, x, write);
  then(q, y, write);
  then(r, x, read);
  const std::uint64_t all = canonical();
  std::swap(events_[0], events_[1]);
  EXPECT_EQ(canonical(), all);
  std::swap(events_[1], events_[2]);  // r reads first
  EXPECT_NE(canonical(), all);
  std::swap(events_[1], events_[2]);
  events_[0].move.alternative = 1;
  EXPECT_NE(canonical(), all);
  events_[0].move.alternative = 0;
  events_.pop_back();
  EXPECT_NE(canonical(), all);
}

TEST_F(OrderTest, CanonicalWithObserversForgetsUnreadOrder) {
  then(p, x, write);
  then(q, x, write);
  const std::uint64_t plain = canonical(), observed = canonical(Observers::yes);
  std::swap(events_[0], events_[1]);
  EXPECT_NE(canonical(), plain);
  EXPECT_EQ(canonical(Observers::yes), observed);
}

// Equivalent means: one can be made from the other by swapping independent neighbours.
TEST_F(OrderTest, CanonicalTellsExactlyTheClassesOfSwaps) {
  using Threads = std::vector<ThreadId>;  // of an interleaving
  Random random(1);
  for (int round = 0; round < 60; ++round) {
    std::map<ThreadId, std::vector<Event>> code;
    for (const ThreadId t : {p, p, q, q, r, r}) {
      std::vector<Access> accesses;
      for (int k = random.between(1, 2); k > 0; --k)
        accesses.push_back({random.chance(.6) ? x : y, random.pick<Mode>({read, write, add})});
      code[t].push_back(event(t, accesses));
    }
    const auto sequence = [&](const Threads& threads) {
      std::map<ThreadId, std::size_t> at;
      std::vector<Event> out;
      for (const ThreadId t : threads) out.push_back(code[t][at[t]++]);
      return out;
    };
    std::set<Threads> seen;
    std::set<std::uint64_t> classes;
    std::size_t components = 0;
    Threads start = {p, p, q, q, r, r};
    do {
      if (seen.contains(start)) continue;
      ++components;
      const std::uint64_t own = Order(footprints_, sequence(start), Observers::no).canonical();
      classes.insert(own);
      std::vector<Threads> todo = {start};
      seen.insert(start);
      while (!todo.empty()) {
        Threads threads = todo.back();
        todo.pop_back();
        const std::vector<Event> events = sequence(threads);
        ASSERT_EQ(Order(footprints_, events, Observers::no).canonical(), own);
        for (std::size_t k = 0; k + 1 < threads.size(); ++k) {
          if (threads[k] == threads[k + 1] ||
              footprints_.dependent(events[k].footprint, events[k + 1].footprint))
            continue;
          std::swap(threads[k], threads[k + 1]);
          if (seen.insert(threads).second) todo.push_back(threads);
          std::swap(threads[k], threads[k + 1]);
        }
      }
    } while (std::ranges::next_permutation(start).found);
    ASSERT_EQ(seen.size(), 90U);
    EXPECT_EQ(classes.size(), components);
  }
}

}  // namespace
}  // namespace heddle
