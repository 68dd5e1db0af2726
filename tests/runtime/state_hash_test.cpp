#include "runtime/kernel/state_hash.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "runtime/kernel/savepoint.hpp"

namespace heddle::runtime {
namespace {

using Of = StateHash::Of;

bool same(const StateHash& a, const StateHash& b) {
  return a.sum().first == b.sum().first && a.sum().second == b.sum().second;
}

TEST(StateHash, DoesNotDependOnTheOrderOfVisits) {
  const int x = 1, y = 2;
  StateHash a, b;
  a.add(x);
  a.add(y);
  a.add_words(Of::exit, 7);
  b.add_words(Of::exit, 7);
  b.add(y);
  b.add(x);
  EXPECT_TRUE(same(a, b));
}

TEST(StateHash, KnowsWhereMemoryIs) {
  const char memory[2][300] = {};
  StateHash a, b;
  a.add(memory[0]);
  b.add(memory[1]);
  EXPECT_FALSE(same(a, b));
}

TEST(StateHash, SeesEachByte) {
  char memory[300] = {};
  StateHash before;
  before.add(memory);
  for (std::size_t k = 0; k < sizeof memory; ++k) {
    memory[k] = 1;
    StateHash after;
    after.add(memory);
    EXPECT_FALSE(same(before, after)) << k;
    memory[k] = 0;
  }
}

TEST(StateHash, TellsNumbersApart) {
  StateHash a, b, c;
  a.add_words(Of::exit, 1, 2);
  b.add_words(Of::exit, 2, 1);
  c.add_words(Of::outcome, 1, 2);
  EXPECT_FALSE(same(a, b));
  EXPECT_FALSE(same(a, c));
}

TEST(StateHash, IsNeverZero) { EXPECT_NE(StateHash().sum().first, 0); }

TEST(StateHash, HashesWhatASavepointWouldKeep) {
  int kept = 3;
  StateHash a, b;
  Savepoint hashing(a);
  hashing.keep(kept);
  hashing.undo([](void*, std::uint64_t) { FAIL(); }, nullptr, 0);
  b.add(kept);
  EXPECT_TRUE(same(a, b));
}

}  // namespace
}  // namespace heddle::runtime
