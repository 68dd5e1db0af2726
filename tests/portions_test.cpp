// How much of a job a worker explores at a time.
#include "cluster/portions.hpp"

#include <gtest/gtest.h>

#include "core/algorithm.hpp"
#include "interp/engine.hpp"
#include "interp/families.hpp"

namespace heddle::cluster {
namespace {

TEST(Portions, WorkersSplitTogetherUntilThereIsEnoughForAll) {
  Portions portions;
  // 8 for each of 64, which is 2 ** 9, by sixteen at once: after 4 splits, after 8, and the rest.
  EXPECT_EQ(portions.parts(0, 64, 0), 16U);
  EXPECT_EQ(portions.parts(4, 64, 0), 16U);
  EXPECT_EQ(portions.parts(8, 64, 0), 2U);
  EXPECT_EQ(portions.parts(9, 64, 0), 1U);
  // As many as were asked for.
  EXPECT_EQ(portions.parts(4, 1, 1000), 16U);
  EXPECT_EQ(portions.parts(8, 1, 1000), 4U);
  // Once it is known that they have many runs: 32 for each, which is 2 ** 11.
  portions.note_done(9, 1e6);
  EXPECT_EQ(portions.parts(9, 64, 0), 4U);
  EXPECT_EQ(portions.parts(11, 64, 0), 1U);
}

TEST(Portions, PartsThatHaveMuchInCommonAreAsManyAsWorkers) {
  Portions portions(0.5);
  EXPECT_EQ(portions.parts(0, 64, 0), 16U);
  EXPECT_EQ(portions.parts(4, 64, 0), 4U);
  EXPECT_EQ(portions.parts(6, 64, 0), 1U);
  portions.note_done(9, 1e6);
  EXPECT_EQ(portions.parts(6, 64, 0), 1U);
}

TEST(Portions, SmallCubesAreNotSplit) {
  Portions portions;
  portions.note_done(8, 100);  // so 16 times as many after 4 splits
  EXPECT_EQ(portions.parts(4, 64, 0), 5U) << "of 320 or less";
  EXPECT_EQ(portions.parts(8, 64, 0), 1U);
}

TEST(Portions, WhatWasTooLargeIsSplitBeforeItIsBegun) {
  Portions portions;
  portions.note_done(11, 16'000);
  EXPECT_EQ(portions.parts(11, 64, 0), 1U);
  portions.note_too_large(11, 64'000);
  EXPECT_EQ(portions.parts(11, 64, 0), 4U) << "a sixteenth of what was too large fits";
}

TEST(Portions, AsManyShareAsAreNeeded) {
  Portions portions;
  Random random(1);
  const parallel::Busy half_done{.done = 1000, .outlook = 100'000, .seconds = 10};
  const auto sharing = [&](std::size_t hungry) {
    int out = 0;
    for (int n = 0; n < 1000; ++n)
      out += portions.shares(half_done, 11, {.open = 50, .hungry = hungry, .waited = 1}, random);
    return out;
  };
  EXPECT_EQ(sharing(0), 0);
  EXPECT_NEAR(sharing(9), 1000 * 4 / 50, 30);
  EXPECT_EQ(sharing(150), 1000);
}

TEST(Portions, WhatIsDoneOfOthersCorrectsTheOutlook) {
  Portions portions;
  Random random(1);
  // Its tree says that it has all but ended.
  const parallel::Busy cube{.done = 1000, .outlook = 1001, .seconds = 10};
  const Portions::Others others{.open = 1, .hungry = 20, .waited = 1};
  EXPECT_FALSE(portions.shares(cube, 8, others, random));
  portions.note_done(8, 100'000);
  EXPECT_TRUE(portions.shares(cube, 8, others, random));
  EXPECT_FALSE(portions.shares(cube, 20, others, random)) << "it is a small one";
}

TEST(Portions, ACubeSaysHowOftenItWasSplit) {
  const interp::Program program = interp::find_family("lastzero")->make(8);
  interp::ModelEngine engine(program, *find_algorithm("optimal"), {}, false);
  std::string cube;
  for (std::size_t splits = 0; splits < 5; ++splits) {
    EXPECT_EQ(parallel::splits_of(cube), splits);
    const auto halves = engine.halves(cube);
    ASSERT_TRUE(halves);
    EXPECT_EQ(parallel::splits_of(halves->first), splits + 1);
    cube = halves->second;
  }
}

}  // namespace
}  // namespace heddle::cluster
