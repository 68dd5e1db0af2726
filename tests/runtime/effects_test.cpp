#include "runtime/kernel/effects.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace heddle::runtime {
namespace {

class EffectsTest : public testing::Test {
 protected:
  EffectsTest() { e.clear(); }

  static std::pair<std::uint64_t, std::uint64_t> state_of(const Effects& effects) {
    StateHash hash;
    effects.digest(1, effects.times_seen(), hash);
    effects.for_holds([&](const void* lock, std::uint64_t hold, Effects::Others, bool held) {
      hash.add_words(StateHash::Of::hold, lock, hold, held);
    });
    return {hash.sum().first, hash.sum().second};
  }

  Effects e;
  char a = 0, b = 0;  // locks
  abi::Site loop{}, other_loop{};
  char frames[64] = {};
};

TEST_F(EffectsTest, ARoundBeginsWithTheNumber) {
  EXPECT_EQ(e.start_of_round(&loop, frames), Effects::never);
  EXPECT_TRUE(e.start_round(&loop, frames)) << "there was none before";
  EXPECT_EQ(e.start_of_round(&loop, frames), e.number());
  e.take(&a, {});
  EXPECT_NE(e.start_of_round(&loop, frames), e.number());
  e.give(&a, {});
  EXPECT_EQ(e.start_of_round(&loop, frames), e.number());
  EXPECT_FALSE(e.start_round(&loop, frames));
  e.take(&a, {});
  EXPECT_TRUE(e.start_round(&loop, frames));
  EXPECT_EQ(e.start_of_round(&other_loop, frames), Effects::never);
  EXPECT_EQ(e.start_of_round(&loop, frames + 8), Effects::never);
}

TEST_F(EffectsTest, AfterAnEffectNothingIsAsItWas) {
  e.start_round(&loop, frames);
  e.start_round(&other_loop, frames);
  e.count();
  EXPECT_EQ(e.start_of_round(&loop, frames), Effects::never);
  EXPECT_TRUE(e.start_round(&other_loop, frames));
  EXPECT_EQ(e.start_of_round(&loop, frames), Effects::never);
  EXPECT_EQ(e.counted(), 2U);
}

TEST_F(EffectsTest, RoundsOfFunctionsThatReturnedAreForgotten) {
  e.start_round(&loop, frames + 40);
  e.start_round(&other_loop, frames + 8);
  e.return_to(frames + 40);
  EXPECT_NE(e.start_of_round(&loop, frames + 40), Effects::never);
  EXPECT_EQ(e.start_of_round(&other_loop, frames + 8), Effects::never);
}

TEST_F(EffectsTest, OfMoreRoundsThanAreRememberedTheFirstIsForgotten) {
  std::vector<abi::Site> loops(65);
  for (const abi::Site& l : loops) e.start_round(&l, frames);
  EXPECT_EQ(e.start_of_round(&loops[0], frames), Effects::never);
  EXPECT_NE(e.start_of_round(&loops[1], frames), Effects::never);
  EXPECT_NE(e.start_of_round(&loops[64], frames), Effects::never);
}

// What differs between threads that came here in different ways, and is of no consequence.
TEST_F(EffectsTest, WhatWasLongAgoIsNoPartOfTheState) {
  Effects other;
  other.clear();
  for (int k = 0; k < 3; ++k) {
    other.take(&a, {});
    other.count();
    other.give(&a, {2, 0});
    other.start_round(&other_loop, frames);
    other.count();
  }
  EXPECT_EQ(state_of(other), state_of(e));
  for (Effects* one : {&e, &other}) {
    one->start_round(&loop, frames);
    one->take(&a, {});
  }
  EXPECT_EQ(state_of(other), state_of(e));
  e.give(&a, {});
  EXPECT_NE(state_of(other), state_of(e)) << "it is back at the beginning of its round";
}

TEST_F(EffectsTest, WhetherARoundHasBegunIsAPartOfTheState) {
  const auto before = state_of(e);
  e.start_round(&loop, frames);
  const auto begun = state_of(e);
  EXPECT_NE(begun, before);
  e.count();
  EXPECT_EQ(state_of(e), before);
  e.start_round(&loop, frames);
  EXPECT_EQ(state_of(e), begun);
  e.pass_time();
  EXPECT_NE(state_of(e), begun);
}

TEST_F(EffectsTest, ToTakeALockAndGiveItBackIsNone) {
  const std::uint64_t before = e.number();
  e.take(&a, {});
  EXPECT_NE(e.number(), before);
  e.take(&b, {});
  e.give(&a, {});
  EXPECT_NE(e.number(), before);  // it holds the other one
  e.give(&b, {});
  EXPECT_EQ(e.number(), before);
}

TEST_F(EffectsTest, ToGiveBackALockAndTakeItIsNoneUnlessAnotherTookIt) {
  e.take(&a, {1, 0});
  e.count();
  e.take(&b, {5, 0});
  const std::uint64_t before = e.number();
  e.give(&b, {5, 0});
  e.take(&b, {5, 0});
  EXPECT_EQ(e.number(), before);
  e.give(&b, {5, 0});
  e.take(&b, {6, 0});
  EXPECT_NE(e.number(), before);
}

TEST_F(EffectsTest, WhatOthersTookUntilATimeLimitIsForgiven) {
  e.take(&a, {1, 0});
  const std::uint64_t before = e.number();
  e.give(&a, {1, 0});
  e.forgive();
  e.take(&a, {9, 0});
  EXPECT_EQ(e.number(), before);
}

TEST_F(EffectsTest, AnAttemptOfAnotherThreadThatFailsHasSeenTheLock) {
  e.take(&a, {0, 3});
  e.give(&a, {0, 3});
  EXPECT_EQ(e.times_seen(), 0U);
  e.take(&a, {0, 3});
  e.give(&a, {0, 4});
  EXPECT_EQ(e.times_seen(), 1U);
}

TEST_F(EffectsTest, MoreLocksThanAreRememberedCountAsNew) {
  char locks[17];
  const std::uint64_t before = e.number();
  for (char& lock : locks) e.take(&lock, {});
  for (char& lock : locks) e.give(&lock, {});
  EXPECT_NE(e.number(), before);  // of the first, it was forgotten when it was taken
}

TEST_F(EffectsTest, WhatIsWrittenBackToTheStackIsNone) {
  int local = 0;
  const std::uint64_t before = e.number();
  e.change(&local, sizeof local, 3, 8, true);
  EXPECT_NE(e.number(), before);
  e.change(&local, sizeof local, 8, 3, true);
  EXPECT_EQ(e.number(), before);
  EXPECT_EQ(e.stack(), 0U);
}

TEST_F(EffectsTest, AnotherThreadSeesWhatHasBeenChanged) {
  int local[2] = {};
  e.change(&local[0], sizeof local[0], 3, 8, true);
  const std::uint64_t counted = e.counted();
  e.be_looked_at(&local[1], sizeof local[1]);
  EXPECT_EQ(e.counted(), counted);
  e.be_looked_at(&local[0], 1);
  EXPECT_EQ(e.counted(), counted + 1);
}

TEST_F(EffectsTest, WhatNoOtherThreadCanSeeIsNotLookedAt) {
  int local = 0;
  e.change(&local, sizeof local, 3, 8, false);
  const std::uint64_t counted = e.counted();
  e.be_looked_at(&local, sizeof local);
  EXPECT_EQ(e.counted(), counted);
}

TEST_F(EffectsTest, FramesThatAreLeftMeanNothing) {
  const std::uint64_t before = e.number();
  e.change(frames + 8, 8, 1, 2, true);
  e.change(frames + 40, 8, 1, 2, true);
  e.return_to(frames + 32);
  EXPECT_NE(e.number(), before);
  e.change(frames + 40, 8, 2, 1, true);
  EXPECT_EQ(e.number(), before);
}

TEST_F(EffectsTest, MoreChangesThanAreRememberedAreEffectsIfTheyAreSeen) {
  char local[17];
  const std::uint64_t counted = e.counted();
  for (unsigned k = 0; k < 16; ++k) e.change(local + k, 1, 0, 1, true);
  EXPECT_EQ(e.counted(), counted);
  e.change(local + 16, 1, 0, 1, true);
  EXPECT_EQ(e.counted(), counted + 1);
}

TEST_F(EffectsTest, TimeIsToldApart) {
  const std::uint64_t before = e.number();
  e.pass_time();
  EXPECT_NE(e.number(), before);
  EXPECT_EQ(e.number() - e.time(), before);
}

TEST_F(EffectsTest, ContentIsTheSumOfItsParts) {
  alignas(8) char memory[24];
  for (unsigned k = 0; k < sizeof memory; ++k) memory[k] = static_cast<char>(k * 7 + 1);
  const std::uint64_t all = Effects::content(memory + 3, 18);
  EXPECT_EQ(Effects::content(memory + 3, 2) + Effects::content(memory + 5, 16), all);
  memory[20] = 0;
  EXPECT_NE(Effects::content(memory + 3, 18), all);
}

}  // namespace
}  // namespace heddle::runtime
