#include "runtime/kernel/condition.hpp"

#include "runtime/fakes.hpp"

namespace heddle::runtime {
namespace {

class ConditionTest : public fake::RuntimeTest {
 protected:
  ConditionTest() {
    clear_conditions();
    c.clear();
  }
  Condition c;
};

TEST_F(ConditionTest, ASignalThatNoThreadWaitsForIsLost) {
  EXPECT_EQ(c.next_number(), 0U);
  EXPECT_EQ(c.signal(1), 0U);
  c.wait(1);
  EXPECT_FALSE(c.can_wake(1));
}

TEST_F(ConditionTest, ATokenIsForThoseThatWaitedWhenItWasLeft) {
  c.wait(1);
  EXPECT_EQ(c.signal(1), 1U);
  c.wait(2);
  EXPECT_TRUE(c.can_wake(1));
  EXPECT_FALSE(c.can_wake(2));
}

TEST_F(ConditionTest, AnyOfThoseThatWaitCanTakeTheToken) {
  c.wait(1);
  c.wait(2);
  c.signal(1);
  EXPECT_TRUE(c.can_wake(1));
  EXPECT_TRUE(c.can_wake(2));
  c.wake(2);
  EXPECT_FALSE(c.can_wake(1));
  EXPECT_FALSE(c.can_wake(2));  // it does not wait any more
}

TEST_F(ConditionTest, ASignalLeavesNothingIfThereIsATokenForEach) {
  c.wait(1);
  c.wait(2);
  EXPECT_EQ(c.signal(1), 1U);
  EXPECT_TRUE(c.is_awaited());
  EXPECT_EQ(c.signal(1), 1U);
  EXPECT_FALSE(c.is_awaited());
  EXPECT_EQ(c.next_number(), 0U);
  EXPECT_EQ(c.signal(1), 0U);
}

TEST_F(ConditionTest, ABroadcastLeavesWhatIsMissing) {
  for (const unsigned thread : {1U, 2U, 3U}) c.wait(thread);
  EXPECT_EQ(c.signal(1), 1U);
  EXPECT_EQ(c.broadcast(), 2U);
  for (const unsigned thread : {3U, 1U, 2U}) {
    ASSERT_TRUE(c.can_wake(thread));
    c.wake(thread);
  }
  EXPECT_EQ(c.broadcast(), 0U);
}

// If the thread that came first took the later token, the other one could not be woken.
TEST_F(ConditionTest, TheOldestTokenIsTakenFirst) {
  c.wait(1);
  c.signal(1);
  c.wait(2);
  c.signal(1);
  EXPECT_EQ(c.next_wake(1).number, 1U);
  c.wake(1);
  EXPECT_TRUE(c.can_wake(2));
  EXPECT_EQ(c.next_wake(2).number, 2U);
}

TEST_F(ConditionTest, AWakeSaysWhatLeftItsTokenAndSinceWhenItsThreadWaited) {
  c.wait(1);
  c.signal(1);
  c.wake(1);
  c.wait(1);
  c.wait(2);
  EXPECT_EQ(c.next_wake(1).number, ~0U);  // there is none yet
  c.signal(1);
  const Condition::Wake one = c.next_wake(2);
  EXPECT_EQ(one.number, 2U);
  EXPECT_EQ(one.since, 1U);
  EXPECT_FALSE(one.for_all);  // one of two
  c.wake(2);
  c.signal(1);
  EXPECT_TRUE(c.next_wake(1).for_all);
}

TEST_F(ConditionTest, AThreadThatTimesOutLeavesTheTokenToOthers) {
  c.wait(1);
  c.wait(2);
  c.signal(1);
  c.give_up(1);
  EXPECT_FALSE(c.can_wake(1));
  EXPECT_TRUE(c.can_wake(2));
  EXPECT_FALSE(c.is_awaited());
}

TEST_F(ConditionTest, EachAddressAndGroupHasOne) {
  char objects[2] = {};
  condition_at(&objects[0]).wait(1);
  EXPECT_TRUE(condition_at(&objects[0]).is_awaited());
  EXPECT_FALSE(condition_at(&objects[1]).is_awaited());
  EXPECT_FALSE(condition_at(&objects[0], 1).is_awaited());
  clear_conditions();
  EXPECT_FALSE(condition_at(&objects[0]).is_awaited());
}

TEST_F(ConditionTest, TooManyInARunAreABound) {
  static char objects[4097];
  for (unsigned k = 0; k < 4096; ++k) condition_at(objects + k);
  try {
    condition_at(objects + 4096);
    FAIL();
  } catch (const fake::BoundReached& reached) {
    EXPECT_EQ(reached.bound, abi::Bound::conditions);
  }
  condition_at(objects);  // one that is known
}

TEST_F(ConditionTest, MasksOfAFutexAreGroups) {
  char futex = 0;
  EXPECT_EQ(group_of(&futex, 1), 1);
  EXPECT_EQ(group_of(&futex, 1), 1);
  EXPECT_EQ(group_of(&futex, 1U << 31), 32);
  EXPECT_GE(group_of(&futex, 6), 33);
  EXPECT_THROW(group_of(&futex, 12), fake::Unsupported);   // has a bit of 6
  EXPECT_THROW(group_of(&futex, ~0U), fake::Unsupported);  // and of all
  char other = 0;
  EXPECT_EQ(group_of(&other, ~0U), 0);
}

Condition& saved() {
  static char object;
  return condition_at(&object);
}
TEST_F(ConditionTest, WhatARunDidIsTakenBack) {
  saved().wait(1);
  ASSERT_TRUE(do_and_undo(
      [](Savepoint& into) {
        save_conditions(into);
        return true;
      },
      [] {
        saved().signal(1);
        saved().wake(1);
        static char another;
        condition_at(&another).wait(1);
      }));
  EXPECT_FALSE(saved().can_wake(1));
  EXPECT_TRUE(saved().is_awaited());
}

}  // namespace
}  // namespace heddle::runtime
