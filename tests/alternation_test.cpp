// Whose turn it is, if it is not known which of two algorithms is faster.
#include "parallel/alternation.hpp"

#include <gtest/gtest.h>

namespace heddle::parallel {
namespace {

Counts runs(std::uint64_t executions, std::uint64_t merged) {
  Counts out;
  out.executions = executions;
  out.merged = merged;
  return out;
}

TEST(Alternation, TheSecondHasATurnIfMuchIsLeftForTheFirst) {
  const Alternation turns;
  EXPECT_FALSE(turns.is_others_turn(turns.turn() / 2));
  EXPECT_TRUE(turns.is_others_turn(turns.turn() * 2));
}

TEST(Alternation, TurnsBecomeLonger) {
  Alternation turns;
  EXPECT_EQ(turns.turn(), Alternation::first_turn);
  turns.next();
  EXPECT_EQ(turns.turn(), 2 * Alternation::first_turn);
  EXPECT_FALSE(turns.is_others_turn(1.5 * Alternation::first_turn));
}

TEST(Alternation, TheSecondIsGivenUpForGoodIfNoStatesRepeat) {
  Alternation turns;
  EXPECT_FALSE(turns.is_hopeless(runs(900, 5))) << "too early to tell";
  EXPECT_FALSE(turns.is_hopeless(runs(9'000, 1'000)));
  EXPECT_TRUE(turns.is_others_turn(1e9));
  EXPECT_TRUE(turns.is_hopeless(runs(9'001, 999)));
  turns.next();
  EXPECT_FALSE(turns.is_others_turn(1e9));
}

}  // namespace
}  // namespace heddle::parallel
