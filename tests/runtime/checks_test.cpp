// What the runtime promises itself: a check that fails ends the process, with its text as the last
// word to the engine, and checks fail where a promise is broken.
#include <sys/mman.h>

#include <string>

#include "runtime/fakes.hpp"
#include "runtime/kernel/clocks.hpp"
#include "runtime/kernel/condition.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/objects.hpp"
#include "runtime/kernel/recorder.hpp"
#include "runtime/kernel/run_table.hpp"
#include "runtime/kernel/savepoint.hpp"
#include "runtime/sys/check.hpp"
#include "runtime/sys/last_word.hpp"

namespace heddle::runtime {
namespace {

#define EXPECT_BROKEN(statement, promise) \
  EXPECT_EXIT(statement, testing::ExitedWithCode(70), "heddle: runtime/.*broken promise: " promise)

class ChecksTest : public fake::RuntimeTest {
 protected:
  ChecksTest() { clear_recorder(); }

  static bool save(Savepoint& into) {
    into.keep(state);
    return true;
  }
  static inline int state;
};

TEST_F(ChecksTest, AFailedCheckIsTheLastWordAndABug) {
  void* shared = mmap(nullptr, sizeof(abi::LastWord), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  auto& word = *static_cast<abi::LastWord*>(shared);
  EXPECT_EXIT(
      {
        set_last_word(word);
        HEDDLE_RUNTIME_CHECK(1 + 1 == 3);
      },
      testing::ExitedWithCode(70), "runtime/checks_test.cpp:.*broken promise: 1 \\+ 1 == 3");
  EXPECT_EQ(word.kind, abi::Word::bug);
  EXPECT_NE(std::string(word.text).find("checks_test.cpp"), std::string::npos) << word.text;
  EXPECT_NE(std::string(word.text).find("broken promise: 1 + 1 == 3"), std::string::npos);
  munmap(shared, sizeof(abi::LastWord));
}

TEST_F(ChecksTest, ACheckThatHoldsDoesNothing) {
  int evaluated = 0;
  HEDDLE_RUNTIME_CHECK(++evaluated == 1);
  EXPECT_EQ(evaluated, 1);
}

TEST_F(ChecksTest, AccessesBelongToAnOpenEvent) {
  EXPECT_BROKEN(add_access(8, Mode::read), "recorder.open");
  begin_event({0, 0}, 1, nullptr);
  add_access(8, Mode::read);
  end_event();
  EXPECT_BROKEN(add_access(8, Mode::read), "recorder.open");
  EXPECT_BROKEN(set_varies(Varies::mode), "recorder.open");
  EXPECT_BROKEN(set_value(1), "recorder.open");
  EXPECT_BROKEN(set_alternatives(2), "recorder.open");
}

TEST_F(ChecksTest, AnAccessHasRoomForItsMode) {
  begin_event({0, 0}, 1, nullptr);
  add_access(abi::below_mode, Mode::read);
  EXPECT_BROKEN(add_access(abi::below_mode + 1, Mode::read), "key <= abi::below_mode");
}

TEST_F(ChecksTest, AnEventIsOfAThreadAndHasAlternatives) {
  EXPECT_BROKEN(begin_event({abi::max_threads, 0}, 1, nullptr), "move.thread < abi::max_threads");
  EXPECT_BROKEN(begin_event({0, 0}, 0, nullptr), ".*alternatives != 0");
}

TEST_F(ChecksTest, NothingIsRecordedInATrial) {
  detail::now.trying = true;
  EXPECT_BROKEN(begin_event({0, 0}, 1, nullptr), "!is_trying\\(\\)");
  detail::now.trying = false;
}

TEST_F(ChecksTest, NoSavepointIsMadeWhileAnEventIsOpen) {
  begin_event({0, 0}, 1, nullptr);
  const SaveState saves = [](Savepoint& into) {
    save_recorder(into);
    return true;
  };
  EXPECT_BROKEN(do_and_undo(saves, [] {}), "!recorder.open");
}

TEST_F(ChecksTest, WhatIsUndoneDoesNotTouchSavepoints) {
  EXPECT_BROKEN(do_and_undo(save, drop_savepoints), "!undoing_");
  EXPECT_BROKEN(do_and_undo(save, [] { do_and_undo(save, [] {}); }), "!undoing_");
  EXPECT_BROKEN(do_and_undo(save, [] { rewind_for_request(); }), "!undoing_");
  EXPECT_TRUE(do_and_undo(save, [] {}));
}

TEST_F(ChecksTest, SavepointsAreEachAfterMoreEvents) {
  fake::ask(fake::world().request, {{1, 0}, {2, 0}, {3, 0}});
  fake::world().reply.event_count = 2;
  make_savepoint(save);
  EXPECT_BROKEN(make_savepoint(save), "depth > this->depth\\(\\)");
  fake::world().reply.event_count = 3;
  make_savepoint(save);
}

TEST_F(ChecksTest, StateIsKeptOnlyByWhatSaves) {
  static Savepoint* kept;
  const SaveState remembers = [](Savepoint& into) {
    kept = &into;
    return true;
  };
  ASSERT_TRUE(do_and_undo(remembers, [] {}));
  EXPECT_BROKEN(kept->keep(state), "savepoints.filling\\(\\) == this");
}

TEST_F(ChecksTest, TooManyUndosAreNotLostInSilence) {
  const SaveState undoes = [](Savepoint& into) {
    for (int k = 0; k < 100; ++k) into.undo([](void*, std::uint64_t) {}, nullptr, 0);
    return true;
  };
  EXPECT_BROKEN(do_and_undo(undoes, [] {}), ".*undo_count_ < max_undos");
}

TEST_F(ChecksTest, ATableHasACapacityThatIsAPowerOfTwo) {
  struct Entry {
    std::uint64_t key;
  };
  RunTable<Entry> table;
  EXPECT_BROKEN(table.set_up(100), "std::has_single_bit\\(capacity\\)");
}

TEST_F(ChecksTest, AThreadWaitsOnceAndIsWokenOnlyIfItCanBe) {
  Condition c;
  c.clear();
  EXPECT_BROKEN(c.wake(1), "can_wake\\(thread\\)");
  c.wait(1);
  EXPECT_BROKEN(c.wait(1), ".*find\\(thread\\) == waiting_");
  EXPECT_BROKEN(c.wake(1), "can_wake\\(thread\\)");
  EXPECT_BROKEN(c.give_up(2), "at < waiting_");
  c.signal(1);
  c.wake(1);
}

TEST_F(ChecksTest, AddressesFitIntoTheirKeys) {
  const auto* above = reinterpret_cast<const void*>(std::uint64_t{1} << abi::address_bits);
  EXPECT_BROKEN(incarnation_key(above, 1), "is_possible\\(object\\)");
  set_up_clocks();
  const auto* marked = reinterpret_cast<const void*>(std::uint64_t{1} << object_bits);
  EXPECT_BROKEN(acquire(0, marked), "name >> object_bits == 0");
}

}  // namespace
}  // namespace heddle::runtime
