#include "runtime/kernel/savepoint.hpp"

#include <vector>

#include "runtime/fakes.hpp"

namespace heddle::runtime {
namespace {

using Moves = std::vector<abi::WireMove>;
constexpr std::uint32_t never = ~0U;

class SavepointTest : public fake::RuntimeTest {
 protected:
  SavepointTest() {
    fake::world().settings.savepoints = abi::Savepoints::always;
    state = 0;
    undone.clear();
  }

  static bool save(Savepoint& into) {
    into.keep(state);
    return true;
  }
  // As a run along these moves does that is saved after `saved_after` events.
  static void run(const Moves& moves, std::uint32_t saved_after) {
    fake::ask(fake::world().request, moves);
    state = static_cast<int>(saved_after);
    fake::world().reply.event_count = saved_after;
    make_savepoint(save);
    state = -1;
  }
  static bool rewind(const Moves& moves, std::uint32_t known = never) {
    fake::ask(fake::world().request, moves, known);
    return rewind_for_request();
  }
  static std::uint32_t next(const Moves& now, const Moves& then) {
    fake::ask(fake::world().request, now);
    fake::ask(fake::world().following, then);
    fake::world().has_following = true;
    return next_savepoint();
  }

  static inline int state;
  static inline std::vector<std::uint64_t> undone;
};

const Moves abc{{1, 0}, {2, 0}, {3, 0}};
const Moves abd{{1, 0}, {2, 0}, {4, 0}};
const Moves axc{{1, 0}, {2, 1}, {3, 0}};

TEST_F(SavepointTest, ARunIsSavedWhereTheNextDivergesFromIt) {
  EXPECT_EQ(next(abc, abd), 2U);
  EXPECT_EQ(next(abc, axc), 1U);  // another alternative
  fake::ask(fake::world().following, abd, 1);
  EXPECT_EQ(next_savepoint(), 1U);  // its second event is not known
}

TEST_F(SavepointTest, NothingIsSavedWhereNothingIsGained) {
  EXPECT_EQ(next(abc, {{2, 0}}), never);
  fake::world().has_following = false;
  EXPECT_EQ(next_savepoint(), never);
  fake::world().settings.savepoints = abi::Savepoints::never;
  EXPECT_EQ(next(abc, abd), never);
  fake::world().settings.savepoints = abi::Savepoints::always;
  fake::world().settings.fork_each = 1;
  EXPECT_EQ(next(abc, abd), never);
}

TEST_F(SavepointTest, TheNextRunContinuesFromThere) {
  run(abc, 2);
  ASSERT_TRUE(rewind(abd));
  EXPECT_EQ(state, 2);
  EXPECT_EQ(next(abd, abd), 3U);
}

TEST_F(SavepointTest, TheLastOneOnThePathIsUsed) {
  run(abc, 1);
  run(abc, 2);
  ASSERT_TRUE(rewind(abd));
  EXPECT_EQ(state, 2);
  ASSERT_TRUE(rewind(axc));
  EXPECT_EQ(state, 1);
  // Those after it are dropped.
  ASSERT_TRUE(rewind(abd));
  EXPECT_EQ(state, 1);
  EXPECT_FALSE(rewind({{2, 0}}));
}

TEST_F(SavepointTest, OnlyKnownEventsAreNotRunAgain) {
  run(abc, 2);
  EXPECT_FALSE(rewind(abd, 1));
}

TEST_F(SavepointTest, ARunThatIsRandomBehindItsScheduleNeedNotBeginAnew) {
  run(abc, 2);
  fake::ask(fake::world().request, abc);
  fake::world().request.header.seed = 1;
  EXPECT_TRUE(rewind_for_request());
}

TEST_F(SavepointTest, ARunThatIsExplainedBeginsAnew) {
  run(abc, 2);
  fake::ask(fake::world().request, abc);
  fake::world().request.header.then = abi::Then::explain;
  EXPECT_FALSE(rewind_for_request());
}

TEST_F(SavepointTest, WhatCannotBeKeptIsNoSavepoint) {
  fake::ask(fake::world().request, abc);
  fake::world().reply.event_count = 2;
  make_savepoint([](Savepoint&) { return false; });
  EXPECT_FALSE(rewind_for_request());
  make_savepoint([](Savepoint& into) {
    static char large[9 << 20];
    into.keep(large);
    into.keep(state);  // there would be room for this
    return true;
  });
  EXPECT_FALSE(rewind_for_request());
}

TEST_F(SavepointTest, WhatIsToBeUndoneComesBeforeMemoryIsPutBack) {
  fake::ask(fake::world().request, abc);
  fake::world().reply.event_count = 2;
  state = 5;
  make_savepoint([](Savepoint& into) {
    const auto undo = [](void* at, std::uint64_t number) {
      undone.push_back(number);
      *static_cast<int*>(at) = 99;
    };
    into.undo(undo, &state, 1);
    into.keep(state);
    into.undo(undo, &state, 2);
    return true;
  });
  state = 6;
  ASSERT_TRUE(rewind_for_request());
  EXPECT_EQ(state, 5);
  EXPECT_EQ(undone, (std::vector<std::uint64_t>{1, 2}));
}

TEST_F(SavepointTest, MemoryOfAnySizeIsPutBack) {
  static char bytes[300];
  for (unsigned k = 0; k < sizeof bytes; ++k) bytes[k] = static_cast<char>(k);
  ASSERT_TRUE(do_and_undo(
      [](Savepoint& into) {
        char* at = bytes;
        for (const std::uint64_t size : {1, 2, 3, 4, 7, 8, 15, 16, 17, 100}) {
          into.keep(at, size);
          at += size;
        }
        into.keep(at, 0);
        return true;
      },
      [] {
        for (char& c : bytes) c = 0;
      }));
  for (unsigned k = 0; k < 173; ++k) ASSERT_EQ(bytes[k], static_cast<char>(k)) << k;
  EXPECT_EQ(bytes[173], 0);
}

TEST_F(SavepointTest, ATrialLeavesSavepointsAsTheyAre) {
  run(abc, 2);
  state = 3;
  ASSERT_TRUE(do_and_undo(save, [] { state = 4; }));
  EXPECT_EQ(state, 3);
  ASSERT_TRUE(rewind(abd));
  EXPECT_EQ(state, 2);
  bool done = false;
  static bool* done_at;
  done_at = &done;
  EXPECT_FALSE(do_and_undo([](Savepoint&) { return false; }, [] { *done_at = true; }));
  EXPECT_FALSE(done);
}

TEST_F(SavepointTest, ThereIsABoundOnTheirNumber) {
  Moves moves;
  for (std::uint16_t k = 0; k < 40; ++k) moves.push_back({k, 0});
  for (std::uint32_t k = 1; k <= 32; ++k) run(moves, k);
  Moves other = moves;
  other.back().thread = 99;
  EXPECT_EQ(next(moves, other), never);
  ASSERT_TRUE(rewind({moves.begin(), moves.begin() + 20}));
  EXPECT_EQ(state, 20);
  EXPECT_EQ(next(moves, other), 39U);
}

}  // namespace
}  // namespace heddle::runtime
