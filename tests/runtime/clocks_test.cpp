#include "runtime/kernel/clocks.hpp"

#include "runtime/fakes.hpp"

namespace heddle::runtime {
namespace {

using abi::Ordering;

TEST(Clock, TicksBeyondItsSizeAreZero) {
  Clock c;
  c.clear();
  c.ticks[2] = 77;  // of an earlier run
  c.grow(2);
  EXPECT_EQ(c[2], 0U);
  EXPECT_EQ(c[63], 0U);
}

TEST(Clock, WhatAnEarlierRunLeftDoesNotComeBackWhenItGrows) {
  Clock c;
  for (std::uint32_t& tick : c.ticks) tick = 77;
  c.clear();
  c.grow(1);
  c.ticks[0] = 1;
  c.grow(9);
  EXPECT_EQ(c[0], 1U);
  for (unsigned k = 1; k < 9; ++k) EXPECT_EQ(c[k], 0U) << k;
}

TEST(Clock, AJoinHasTheGreaterOfEach) {
  Clock a, b;
  a.clear();
  b.clear();
  a.grow(2);
  b.grow(6);
  a.ticks[0] = 5;
  a.ticks[1] = 1;
  b.ticks[1] = 3;
  b.ticks[5] = 2;
  a.time = 10;
  b.time = 9;
  EXPECT_FALSE(b.is_within(a));
  a.join(b);
  EXPECT_EQ(a[0], 5U);
  EXPECT_EQ(a[1], 3U);
  EXPECT_EQ(a[5], 2U);
  EXPECT_EQ(a.time, 10U);
  EXPECT_TRUE(b.is_within(a));
  EXPECT_FALSE(a.is_within(b));
}

// Two threads beside the first; what each does is told by its tick at that time.
class ClocksTest : public fake::RuntimeTest {
 protected:
  ClocksTest() {
    static const bool once = (set_up_clocks(), true);
    static_cast<void>(once);
    fake::set_threads(4);
    clear_clocks();
    for (unsigned id = 1; id < 4; ++id) start_clock(id, 0);
  }
  static std::uint32_t tick_of(unsigned thread) { return clock_of(thread).now[thread]; }
  // Whether what the other did at that tick happens before what the thread does now.
  static bool knows(unsigned thread, unsigned other, std::uint32_t tick) {
    return clock_of(thread).now[other] >= tick;
  }
  static void store(unsigned thread, const void* at, Ordering ordering, std::uint64_t size = 8,
                    bool own_continue = false) {
    order_write(thread, at, size, ordering, false, own_continue);
  }
  static void update(unsigned thread, const void* at, Ordering ordering) {
    order_read(thread, at, 8, ordering);
    order_write(thread, at, 8, ordering, true, false);
  }
  static void load(unsigned thread, const void* at, Ordering ordering, std::uint64_t size = 8) {
    order_read(thread, at, size, ordering);
  }

  alignas(8) static inline char x[16], y[8];
};

TEST_F(ClocksTest, ACreatedThreadKnowsItsCreatorsPast) {
  const std::uint32_t before = tick_of(1);
  start_clock(5, 1);
  EXPECT_TRUE(knows(5, 1, before));
  EXPECT_FALSE(knows(5, 1, tick_of(1)));  // what comes after the creation
  EXPECT_FALSE(knows(2, 1, before));
}

TEST_F(ClocksTest, AJoinKnowsAllThatTheThreadDid) {
  const std::uint32_t last = tick_of(1);
  join_thread(0, 1);
  EXPECT_TRUE(knows(0, 1, last));
}

TEST_F(ClocksTest, ALockOrdersWithThoseThatReleasedItBefore) {
  const std::uint32_t inside = tick_of(1);
  acquire(2, x);
  EXPECT_FALSE(knows(2, 1, inside));
  release(1, x);
  acquire(2, y);  // another lock
  EXPECT_FALSE(knows(2, 1, inside));
  acquire(2, x);
  EXPECT_TRUE(knows(2, 1, inside));
  EXPECT_FALSE(knows(2, 1, tick_of(1)));  // what came after the release
}

TEST_F(ClocksTest, LocksAreHandedOn) {
  const std::uint32_t inside = tick_of(1);
  release(1, x);
  acquire(2, x);
  release(2, y);
  acquire(3, y);
  EXPECT_TRUE(knows(3, 1, inside));
}

TEST_F(ClocksTest, ReleaseAndAcquireSynchroniseRelaxedDoesNot) {
  const std::uint32_t before = tick_of(1);
  store(1, x, Ordering::release);
  load(2, x, Ordering::relaxed);
  EXPECT_FALSE(knows(2, 1, before));
  load(2, x, Ordering::acquire);
  EXPECT_TRUE(knows(2, 1, before));
  store(3, y, Ordering::relaxed);
  load(2, y, Ordering::acquire);
  EXPECT_FALSE(knows(2, 3, tick_of(3)));
}

TEST_F(ClocksTest, AnAcquireFenceTakesWhatWasReadRelaxed) {
  const std::uint32_t before = tick_of(1);
  store(1, x, Ordering::release);
  load(2, x, Ordering::relaxed);
  order_fence(2, Ordering::release);
  EXPECT_FALSE(knows(2, 1, before));
  order_fence(2, Ordering::acquire);
  EXPECT_TRUE(knows(2, 1, before));
}

TEST_F(ClocksTest, AReleaseFenceCountsForRelaxedStoresAfterIt) {
  const std::uint32_t before = tick_of(1);
  order_fence(1, Ordering::release);
  const std::uint32_t after = tick_of(1);
  store(1, x, Ordering::relaxed);
  load(2, x, Ordering::acquire);
  EXPECT_TRUE(knows(2, 1, before));
  EXPECT_FALSE(knows(2, 1, after));
}

TEST_F(ClocksTest, AnUpdateContinuesTheReleaseSequence) {
  const std::uint32_t before = tick_of(1);
  store(1, x, Ordering::release);
  update(2, x, Ordering::relaxed);
  load(3, x, Ordering::acquire);
  EXPECT_TRUE(knows(3, 1, before));
  EXPECT_FALSE(knows(3, 2, tick_of(2)));  // it released nothing itself
}

TEST_F(ClocksTest, AStoreEndsTheReleaseSequence) {
  const std::uint32_t before = tick_of(1);
  store(1, x, Ordering::release);
  store(2, x, Ordering::relaxed);
  load(3, x, Ordering::acquire);
  EXPECT_FALSE(knows(3, 1, before));
}

TEST_F(ClocksTest, AStoreOfTheSameThreadContinuesItBeforeCpp20) {
  const std::uint32_t before = tick_of(1);
  store(1, x, Ordering::release, 8, true);
  store(1, x, Ordering::relaxed, 8, true);
  load(3, x, Ordering::acquire);
  EXPECT_TRUE(knows(3, 1, before));
  store(2, x, Ordering::relaxed, 8, true);  // that of another does not
  clear_clocks();
  for (unsigned id = 1; id < 4; ++id) start_clock(id, 0);
  store(1, x, Ordering::release, 8, true);
  store(2, x, Ordering::relaxed, 8, true);
  load(3, x, Ordering::acquire);
  EXPECT_FALSE(knows(3, 1, before));
}

TEST_F(ClocksTest, OwnStoresDoNotContinueItSinceCpp20) {
  const std::uint32_t before = tick_of(1);
  store(1, x, Ordering::release);
  store(1, x, Ordering::relaxed);
  load(3, x, Ordering::acquire);
  EXPECT_FALSE(knows(3, 1, before));
}

TEST_F(ClocksTest, HalvesOfAWordSynchroniseWithAllOfIt) {
  const std::uint32_t before = tick_of(1);
  store(1, x, Ordering::release, 8);
  load(2, x + 4, Ordering::acquire, 4);
  EXPECT_TRUE(knows(2, 1, before));
  store(3, x, Ordering::relaxed, 4);  // ends the sequence in its half alone
  load(3, x, Ordering::acquire, 4);
  EXPECT_FALSE(knows(3, 1, before));
  load(3, x + 4, Ordering::acquire, 4);
  EXPECT_TRUE(knows(3, 1, before));
}

TEST_F(ClocksTest, BytesAreApart) {
  const std::uint32_t before = tick_of(1);
  store(1, x + 1, Ordering::release, 1);
  load(2, x + 2, Ordering::acquire, 1);
  EXPECT_FALSE(knows(2, 1, before));
  load(2, x + 1, Ordering::acquire, 1);
  EXPECT_TRUE(knows(2, 1, before));
}

TEST_F(ClocksTest, WhatIsReleasedAtAPlaceCanBeAskedFor) {
  Clock there;
  released_at(x, 8, there);
  EXPECT_EQ(there.size, 0U);
  const std::uint32_t before = tick_of(1);
  store(1, x, Ordering::release);
  released_at(x, 8, there);
  EXPECT_GE(there[1], before);
}

TEST_F(ClocksTest, TimeMovesOnWithWhatSynchronises) {
  time_of(1) += 1000;
  const std::uint64_t late = time_of(1);
  EXPECT_LT(time_of(2), late);
  release(1, x);
  acquire(2, x);
  EXPECT_EQ(time_of(2), late);
}

TEST_F(ClocksTest, ANewRunKnowsNothing) {
  const std::uint32_t before = tick_of(1);
  store(1, x, Ordering::release);
  clear_clocks();
  start_clock(2, 0);
  load(2, x, Ordering::acquire);
  EXPECT_FALSE(knows(2, 1, before));
}

TEST_F(ClocksTest, ASavepointTakesBackWhatHappenedAfterIt) {
  static std::uint32_t before;
  before = tick_of(1);
  release(1, y);
  ASSERT_TRUE(do_and_undo(
      [](Savepoint& into) {
        save_clocks(into);
        return true;
      },
      [] {
        store(1, x, Ordering::release);
        load(2, x, Ordering::acquire);
        load(3, x, Ordering::relaxed);
        ASSERT_TRUE(knows(2, 1, before));
      }));
  EXPECT_FALSE(knows(2, 1, before));
  order_fence(3, Ordering::acquire);
  EXPECT_FALSE(knows(3, 1, before));
  load(2, x, Ordering::acquire);
  EXPECT_FALSE(knows(2, 1, before));
  acquire(2, y);  // that was before it
  EXPECT_TRUE(knows(2, 1, before));
}

}  // namespace
}  // namespace heddle::runtime
