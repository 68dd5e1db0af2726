#include "runtime/abi/operations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "runtime/fakes.hpp"
#include "runtime/kernel/condition.hpp"
#include "runtime/kernel/incarnations.hpp"
#include "runtime/kernel/objects.hpp"
#include "runtime/kernel/operations.hpp"
#include "runtime/kernel/recorder.hpp"
#include "runtime/kernel/visible.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace {

using abi::OpKind, abi::Operation, abi::Role, abi::row_of;
using testing::ElementsAre;

constexpr std::size_t kinds = std::size(abi::operations);

TEST(Operations, RowsAreIndexedByTheirKind) {
  EXPECT_EQ(row_of(OpKind::load).role, Role::read);
  EXPECT_EQ(std::string_view(row_of(OpKind::broadcast).step), "broadcast {}");
  EXPECT_EQ(static_cast<std::size_t>(OpKind::block) + 1, kinds);
}

TEST(Operations, AModeHasTheWordsOfTheFirstRowThatHasIt) {
  EXPECT_EQ(std::string_view(row_of(Mode::read)->step), "read {}");
  EXPECT_EQ(std::string_view(row_of(Mode::lock)->step), "lock {}");
  EXPECT_EQ(std::string_view(row_of(Mode::arrive)->step), "arrive at {}");
  EXPECT_EQ(std::string_view(row_of(Mode::wake_all)->blocked), "waiting for a signal of {}");
  EXPECT_TRUE(row_of(Mode::try_lock_fail)->fails_as(Mode::try_lock_fail));
  EXPECT_FALSE(row_of(Mode::try_lock)->fails_as(Mode::try_lock));
  EXPECT_FALSE(row_of(Mode::wake_all)->fails_as(Mode::wake_all));
  EXPECT_EQ(row_of(Mode::add), nullptr);  // of model programs only
}

TEST(Operations, WordsHaveAtMostOnePlaceForTheObject) {
  for (const Operation& row : abi::operations)
    for (const std::string_view words : {row.step, row.failed, row.blocked}) {
      const std::size_t at = words.find("{}");
      if (at != words.npos) {
        EXPECT_EQ(words.find("{}", at + 1), words.npos) << words;
      }
    }
}

class RecordingTest : public fake::RuntimeTest {
 protected:
  RecordingTest() {
    fake::set_threads(4);
    clear_conditions();
    clear_recorder();
    set_visible();
    std::fill(std::begin(object), std::end(object), 0);
  }
  struct Step {
    std::vector<Mode> modes;
    std::vector<abi::WireAccess> accesses;
    Varies varies;
  };
  // What is recorded if thread 1 takes the step now.
  Step record(const Op& op) {
    begin_event({1, 0}, 1, nullptr);
    record_accesses(op, 1);
    end_event();
    abi::WireEvent event;
    std::memcpy(&event, fake::world().added.data() + fake::world().added.size() - sizeof event,
                sizeof event);
    const std::uint64_t* words = names().steps.words + event.step;
    abi::WireStep step;
    std::memcpy(&step, words, sizeof step);
    Step out{{}, {}, static_cast<Varies>(step.varies)};
    for (std::uint32_t k = 0; k < step.access_count; ++k) {
      abi::WireAccess access;
      std::memcpy(&access, words + abi::step_words + k * abi::access_words, sizeof access);
      out.accesses.push_back(access);
      out.modes.push_back(static_cast<Mode>(access.object >> abi::mode_shift));
    }
    return out;
  }
  static void see(const void* at) {
    abi::Settings& s = fake::world().settings;
    const auto address = reinterpret_cast<std::uint64_t>(at);
    s.visible[s.visible_count++] =
        address >> abi::granule_bits << abi::mask_bits | 1U << address % 8;
    set_visible();
  }

  alignas(16) char object[64];
};

// A function that records what its row does not say would be misunderstood by the engine.
TEST_F(RecordingTest, EachOperationRecordsOneOfItsModes) {
  for (std::size_t k = 0; k < kinds; ++k) {
    const auto kind = static_cast<OpKind>(k);
    if (kind == OpKind::wake) condition_at(object).wait(1);
    const Operation& row = row_of(kind);
    const Step step = record({.kind = kind, .object = object, .size = 4, .value = 0});
    const bool has_none = row.mode == abi::no_mode || kind == OpKind::free || kind == OpKind::exit;
    EXPECT_EQ(step.modes.empty(), has_none) << row.step;
    const auto first = kind == OpKind::futex_wait ? 1U : 0U;  // it looks at the word first
    if (!has_none) {
      EXPECT_TRUE(row.has(step.modes.at(first))) << row.step;
    }
    if (kind != OpKind::block) {
      EXPECT_EQ(step.varies, row.varies) << row.step;
    }
  }
}

TEST_F(RecordingTest, AttemptsSayWhetherTheySucceed) {
  as<Mutex>(object).owner = 3;
  EXPECT_THAT(record({.kind = OpKind::try_lock, .object = object}).modes,
              ElementsAre(Mode::try_lock_fail));
  as<Mutex>(object).owner = 0;
  EXPECT_THAT(record({.kind = OpKind::try_lock, .object = object}).modes,
              ElementsAre(Mode::try_lock));
  as<RwLock>(object).readers = 1;
  EXPECT_THAT(record({.kind = OpKind::try_read_lock, .object = object}).modes,
              ElementsAre(Mode::try_read_lock));
  EXPECT_THAT(record({.kind = OpKind::try_write_lock, .object = object}).modes,
              ElementsAre(Mode::try_write_lock_fail));
}

TEST_F(RecordingTest, ACompareExchangeReadsIfItFails) {
  object[0] = 5;
  EXPECT_THAT(
      record({.kind = OpKind::compare_exchange, .object = object, .size = 4, .value = 5}).modes,
      ElementsAre(Mode::update));
  EXPECT_THAT(
      record({.kind = OpKind::compare_exchange, .object = object, .size = 4, .value = 6}).modes,
      ElementsAre(Mode::read));
  const char expected[16] = {5};
  const Op wide{.kind = OpKind::compare_exchange, .object = object, .second = expected, .size = 16};
  EXPECT_THAT(record(wide).modes, ElementsAre(Mode::update, Mode::update));
  object[15] = 1;
  EXPECT_THAT(record(wide).modes, ElementsAre(Mode::read, Mode::read));
}

TEST_F(RecordingTest, AStoreInABlockIsOrdered) {
  EXPECT_THAT(record({.kind = OpKind::store, .object = object, .size = 4}).modes,
              ElementsAre(Mode::write));
  EXPECT_THAT(record({.kind = OpKind::store, .ordered = true, .object = object, .size = 4}).modes,
              ElementsAre(Mode::write_in_block));
}

TEST_F(RecordingTest, AFutexWaitsOnlyIfTheWordIsAsExpected) {
  object[0] = 1;
  Op op{.kind = OpKind::futex_wait, .object = object, .size = 4, .value = 1};
  EXPECT_THAT(record(op).modes, ElementsAre(Mode::read, Mode::wait));
  op.value = 2;
  EXPECT_THAT(record(op).modes, ElementsAre(Mode::read));
}

TEST_F(RecordingTest, AWaitUnlocksItsMutex) {
  const Step step = record({.kind = OpKind::wait, .object = object, .second = object + 32});
  EXPECT_THAT(step.modes, ElementsAre(Mode::unlock, Mode::wait));
}

TEST_F(RecordingTest, ASignalThatWakesNoThreadHasNumberZero) {
  EXPECT_EQ(record({.kind = OpKind::signal, .object = object, .value = 1}).accesses[0].a, 0U);
  condition_at(object).wait(2);
  const abi::WireAccess access =
      record({.kind = OpKind::signal, .object = object, .value = 1}).accesses[0];
  EXPECT_EQ(access.a, 1U);
  EXPECT_EQ(access.b, 1U);
}

TEST_F(RecordingTest, ABarrierSaysItsGenerationAndHowManyCompleteIt) {
  as<Barrier>(object).needed = 3;
  as<Barrier>(object).generation = 7;
  const abi::WireAccess access = record({.kind = OpKind::arrive, .object = object}).accesses[0];
  EXPECT_EQ(access.a, 7U);
  EXPECT_EQ(access.b, 3U);
}

TEST_F(RecordingTest, TheMemoryOfAnObjectIsReadWhereItIsVisible) {
  see(object);
  EXPECT_THAT(record({.kind = OpKind::lock, .object = object}).modes,
              ElementsAre(Mode::lock, Mode::read));
  EXPECT_EQ(record({.kind = OpKind::lock, .object = object}).varies, Varies::anything);
  EXPECT_THAT(record({.kind = OpKind::lock, .told = true, .object = object}).modes,
              ElementsAre(Mode::lock));
  // Of a condition, only what `second` says.
  EXPECT_THAT(record({.kind = OpKind::signal, .object = object, .value = 1}).modes,
              ElementsAre(Mode::signal));
  EXPECT_THAT(
      record({.kind = OpKind::signal, .object = object, .second = object, .value = 1}).modes,
      ElementsAre(Mode::signal, Mode::read));
}

TEST_F(RecordingTest, AFreeIsOfWhatIsVisible) {
  see(object + 9);
  const Step step = record({.kind = OpKind::free, .object = object, .size = 64});
  EXPECT_THAT(step.modes, ElementsAre(Mode::free));
}

TEST_F(RecordingTest, ThreadsThatWereJoinedAreAdded) {
  begin_event({1, 0}, 1, nullptr);
  record_joined(0b1010);
  end_event();
  EXPECT_EQ(fake::world().reply.event_count, 1U);
  abi::WireEvent event;
  std::memcpy(&event, fake::world().added.data(), sizeof event);
  const std::uint64_t* words = names().steps.words + event.step;
  EXPECT_EQ(words[1] & 0xffffffff, 2U);
}

TEST_F(RecordingTest, TheSameStepHasTheSameName) {
  const auto name = [&](const Op& op) {
    record(op);
    abi::WireEvent event;
    std::memcpy(&event, fake::world().added.data() + fake::world().added.size() - sizeof event,
                sizeof event);
    return event.step;
  };
  const Op lock{.kind = OpKind::lock, .object = object};
  const Op wide{.kind = OpKind::load, .object = object, .size = 64};
  const std::uint32_t first = name(lock), second = name(wide);
  EXPECT_NE(first, second);
  EXPECT_EQ(name(lock), first);
  EXPECT_EQ(name(wide), second);
  EXPECT_NE(name({.kind = OpKind::unlock, .object = object}), first);
}

TEST_F(RecordingTest, WhatIsKnownIsHashedAndNotSent) {
  fake::world().request.header.known_count = 1;
  begin_event({1, 0}, 1, nullptr);
  record_accesses({.kind = OpKind::lock, .object = object}, 1);
  end_event();
  EXPECT_TRUE(fake::world().added.empty());
  const std::uint64_t one = fake::world().reply.known_hash;
  EXPECT_NE(one, 0U);
  fake::world().reply = {};
  clear_recorder();
  begin_event({2, 0}, 1, nullptr);  // by another thread
  record_accesses({.kind = OpKind::lock, .object = object}, 1);
  end_event();
  EXPECT_NE(fake::world().reply.known_hash, one);
}

class EnabledTest : public RecordingTest {
 protected:
  bool is_enabled_for(unsigned id, OpKind kind) {
    return is_enabled({.kind = kind, .object = object}, id);
  }
  std::string described(const Op& op) {
    Text text;
    describe(op, &site, text);
    return text.c_str();
  }
  std::string name() const {
    char out[40];
    std::snprintf(out, sizeof out, "{%#lx}", reinterpret_cast<unsigned long>(object));
    return out;
  }
  static abi::Site site_at(const char* file, std::uint32_t line) {
    abi::Site out{};
    out.file = file;
    out.line = line;
    return out;
  }
  const abi::Site site = site_at("a.c", 9);
};

TEST_F(EnabledTest, LocksBlockWhileTheyAreHeld) {
  EXPECT_TRUE(is_enabled_for(1, OpKind::lock));
  as<Mutex>(object).owner = 3;
  EXPECT_FALSE(is_enabled_for(1, OpKind::lock));
  EXPECT_TRUE(is_enabled_for(1, OpKind::try_lock));
  EXPECT_TRUE(is_enabled_for(1, OpKind::unlock));
  EXPECT_EQ(held_up_by({.kind = OpKind::lock, .object = object}), 0b100U);
  EXPECT_EQ(held_up_by({.kind = OpKind::try_lock, .object = object}), 0U);
}

TEST_F(EnabledTest, ASpinlockThatHasEndedDoesNotBlock) {
  as<SpinLock>(object) = {2, SpinLock::begun};
  EXPECT_FALSE(is_enabled_for(1, OpKind::spin_lock));
  as<SpinLock>(object).mark = SpinLock::ended;
  EXPECT_TRUE(is_enabled_for(1, OpKind::spin_lock));
}

TEST_F(EnabledTest, ReadersShareAndWritersDoNot) {
  RwLock& lock = as<RwLock>(object);
  lock.readers = 2;
  lock.add_held(0, 1);
  lock.add_held(2, 1);
  EXPECT_TRUE(is_enabled_for(1, OpKind::read_lock));
  EXPECT_FALSE(is_enabled_for(1, OpKind::write_lock));
  EXPECT_EQ(held_up_by({.kind = OpKind::write_lock, .object = object}), 0b101U);
  EXPECT_EQ(held_up_by({.kind = OpKind::write_lock, .group = 1, .object = object}), 0U);
  lock = {};
  lock.writer = 4;
  EXPECT_FALSE(is_enabled_for(1, OpKind::read_lock));
  EXPECT_EQ(held_up_by({.kind = OpKind::read_lock, .object = object}), 0b1000U);
}

TEST_F(EnabledTest, OthersWaitForWhatAnotherThreadDoes) {
  EXPECT_FALSE(is_enabled_for(1, OpKind::sem_wait));
  EXPECT_TRUE(is_enabled_for(1, OpKind::sem_try_wait));
  as<Semaphore>(object).value = 1;
  EXPECT_TRUE(is_enabled_for(1, OpKind::sem_wait));
  condition_at(object).wait(1);
  EXPECT_FALSE(is_enabled_for(1, OpKind::wake));
  condition_at(object).signal(1);
  EXPECT_TRUE(is_enabled_for(1, OpKind::wake));
  EXPECT_FALSE(is_enabled_for(2, OpKind::wake));
  EXPECT_FALSE(is_enabled_for(1, OpKind::leave));
  fiber(1).generation.complete = true;
  EXPECT_TRUE(is_enabled_for(1, OpKind::leave));
  EXPECT_FALSE(is_enabled({.kind = OpKind::join, .value = 2}, 1));
  fiber(2).status = Fiber::Status::ended;
  EXPECT_TRUE(is_enabled({.kind = OpKind::join, .value = 2}, 1));
}

TEST_F(EnabledTest, WhatABlockedThreadDoesIsSaid) {
  const abi::Site since = site_at("b.c", 15);
  as<Mutex>(object).owner = 3;
  as<Mutex>(object).locked_at = &since;
  EXPECT_EQ(described({.kind = OpKind::lock, .object = object}),
            "locking " + name() + " at a.c:9, held by thread 2 since b.c:15");
  std::fill(std::begin(object), std::end(object), 0);
  as<RwLock>(object).add_held(1, 1);
  as<RwLock>(object).add_held(3, 1);
  EXPECT_EQ(described({.kind = OpKind::write_lock, .object = object}),
            "locking " + name() + " to write at a.c:9, held by thread 1 and thread 3");
  EXPECT_EQ(described({.kind = OpKind::join, .value = 2}), "joining thread 2 at a.c:9");
  std::fill(std::begin(object), std::end(object), 0);
  as<Barrier>(object).needed = 3;
  as<Barrier>(object).arrived = 1;
  EXPECT_EQ(described({.kind = OpKind::leave, .object = object}),
            "waiting for others at " + name() + " at a.c:9, where 2 more must arrive");
}

}  // namespace
}  // namespace heddle::runtime
