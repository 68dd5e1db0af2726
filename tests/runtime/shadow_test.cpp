#include "runtime/memory/shadow.hpp"

#include "runtime/fakes.hpp"
#include "runtime/kernel/access_bits.hpp"
#include "runtime/kernel/clocks.hpp"
#include "runtime/kernel/visible.hpp"
#include "runtime/memory/hidden.hpp"

namespace heddle::runtime {
namespace {

class ShadowTest : public fake::RuntimeTest {
 protected:
  static constexpr unsigned thread_count = 16;
  static constexpr std::uint8_t plain = bit_plain, write = bit_write;

  ShadowTest() {
    static const bool once = (set_up_clocks(), set_up_shadow(), true);
    static_cast<void>(once);
    fake::set_threads(thread_count);
    clear_clocks();
    clear_shadow();
    set_visible();
    for (unsigned id = 1; id < thread_count; ++id) start_clock(id, 0);
    for (unsigned k = 0; k < thread_count; ++k) sites[k].line = k;
  }

  static void access(unsigned thread, const void* at, std::uint64_t size, unsigned bits) {
    check_access(thread, at, size, static_cast<std::uint8_t>(bits), &sites[thread]);
  }
  static void hand_over(unsigned from, unsigned to) {
    release(from, &lock);
    acquire(to, &lock);
  }
  static const std::vector<abi::WireRace>& races() { return fake::world().data_races; }

  static inline abi::Site sites[thread_count];
  static inline char lock;
  alignas(8) static inline char x[64];
};

TEST_F(ShadowTest, TwoUnorderedPlainAccessesOneAWriteRace) {
  access(1, x, 4, plain | write);
  access(2, x, 4, plain);
  ASSERT_EQ(races().size(), 1U);
  const abi::WireRace& race = races()[0];
  EXPECT_EQ(race.first_thread, 1);
  EXPECT_EQ(race.second_thread, 2);
  EXPECT_EQ(race.first_bits, plain | write);
  EXPECT_EQ(race.second_bits, plain);
  EXPECT_EQ(race.first_site, reinterpret_cast<std::uint64_t>(&sites[1]));
  EXPECT_EQ(race.memory,
            reinterpret_cast<std::uint64_t>(x) >> abi::granule_bits << abi::mask_bits | 0x0f);
}

TEST_F(ShadowTest, TheRaceIsFoundInEitherOrder) {
  access(2, x, 4, plain);
  access(1, x, 4, plain | write);
  EXPECT_EQ(races().size(), 1U);
}

TEST_F(ShadowTest, WhatIsOrderedDoesNotRace) {
  access(1, x, 4, plain | write);
  hand_over(1, 2);
  access(2, x, 4, plain | write);
  EXPECT_TRUE(races().empty());
  access(1, x, 4, plain);  // but the first thread does not know of the second
  EXPECT_EQ(races().size(), 1U);
}

TEST_F(ShadowTest, ReadsDoNotRace) {
  access(1, x, 4, plain);
  access(2, x, 4, plain);
  EXPECT_TRUE(races().empty());
}

TEST_F(ShadowTest, AtomicAccessesRaceWithPlainOnesOnly) {
  access(1, x, 4, write);
  access(2, x, 4, write);
  EXPECT_TRUE(races().empty());
  access(3, x, 4, plain);
  EXPECT_EQ(races().size(), 2U);
}

TEST_F(ShadowTest, OtherBytesDoNotRace) {
  access(1, x, 2, plain | write);
  access(2, x + 2, 2, plain | write);
  EXPECT_TRUE(races().empty());
  access(3, x + 1, 2, plain | write);
  ASSERT_EQ(races().size(), 2U);
  EXPECT_EQ(races()[0].memory & 0xff, 2U);
  EXPECT_EQ(races()[1].memory & 0xff, 4U);
}

TEST_F(ShadowTest, AnAccessOfSeveralGranulesRacesInEach) {
  access(1, x + 15, 1, plain | write);
  access(2, x + 6, 12, plain);
  ASSERT_EQ(races().size(), 1U);
  EXPECT_EQ(races()[0].memory & 0xff, 0x80U);
}

// An ordered access that is weaker, or covers less, must not make the first be forgotten.
TEST_F(ShadowTest, NothingIsForgottenThatALaterOneDoesNotStandFor) {
  access(1, x, 8, plain | write);
  hand_over(1, 2);
  access(2, x, 8, plain);          // a read does not stand for a write
  access(2, x, 4, plain | write);  // and half of it not for all
  access(2, x, 8, write);          // nor an atomic access for a plain one
  access(3, x + 4, 4, plain);
  bool with_first = false;
  for (const abi::WireRace& race : races()) with_first = with_first || race.first_thread == 1;
  EXPECT_TRUE(with_first);
}

TEST_F(ShadowTest, ManyReadersOfAGranuleAreAllRemembered) {
  for (unsigned id = 1; id < thread_count; ++id) access(id, x, 8, plain);
  access(0, x, 8, plain | write);
  EXPECT_EQ(races().size(), thread_count - 1);
}

TEST_F(ShadowTest, ARaceIsNotedOnce) {
  access(1, x, 4, plain | write);
  access(2, x, 4, plain);
  access(2, x, 4, plain);
  EXPECT_EQ(races().size(), 1U);
}

TEST_F(ShadowTest, AFreeRacesWithEveryUse) {
  access(1, x + 40, 1, plain);
  check_end_of_writes(2, x, sizeof x, &sites[2]);
  EXPECT_TRUE(races().empty());  // only writes would
  access(1, x + 35, 1, plain);
  check_free(2, x, 35, &sites[2]);
  EXPECT_TRUE(races().empty());  // they are beyond, one in the same granule
  check_free(2, x, sizeof x, &sites[2]);
  ASSERT_EQ(races().size(), 2U);
  EXPECT_NE(races()[0].second_bits & bit_free, 0);
}

// Of what is larger than all that was touched, the table is walked instead of the memory.
TEST_F(ShadowTest, AFreeOfALargeBlockFindsTheSame) {
  access(1, x + 7, 1, plain);
  access(1, x + 8, 1, plain);
  constexpr std::uint64_t large = 1 << 20;
  check_free(2, x + 8, large, &sites[2]);
  ASSERT_EQ(races().size(), 1U);
  EXPECT_EQ(races()[0].memory & 0xff, 1U);
  const auto end = reinterpret_cast<std::uint64_t>(x + 8);
  check_free(2, reinterpret_cast<const void*>(end - large), large, &sites[3]);
  ASSERT_EQ(races().size(), 2U);
  EXPECT_EQ(races()[1].memory & 0xff, 0x80U);
}

TEST_F(ShadowTest, WhatIsExploredOrBenignIsReportedButNotFound) {
  sites[1].benign = 1;
  access(1, x, 4, plain | write);
  access(2, x, 4, plain);
  sites[1].benign = 0;
  access(1, &hidden.exiting, 8, plain | write);
  access(2, &hidden.exiting, 8, plain);
  fake::world().settings.races = abi::Races::explore;
  access(1, x + 8, 4, plain | write);
  access(2, x + 8, 4, plain);
  EXPECT_TRUE(races().empty());
  report_races();
  ASSERT_EQ(fake::world().reply.race_count, 3U);
  abi::WireRace sent[3];
  ASSERT_EQ(fake::world().added.size(), sizeof sent);
  std::memcpy(sent, fake::world().added.data(), sizeof sent);
  EXPECT_EQ(sent[0].sort, abi::RaceSort::benign);
  EXPECT_EQ(sent[1].sort, abi::RaceSort::observed);
  EXPECT_EQ(sent[2].sort, abi::RaceSort::finding);
}

// Which of two atomic writes was last, a plain read sees: with observers, that is an event.
TEST_F(ShadowTest, APlainReadOfTwoUnorderedAtomicWritesIsToBeVisible) {
  fake::world().settings.observers = 1;
  access(1, x, 4, write);
  access(2, x, 4, write);
  hand_over(1, 3);
  hand_over(2, 3);
  access(3, x, 4, plain);
  EXPECT_TRUE(races().empty());
  report_races();
  EXPECT_EQ(fake::world().reply.race_count, 1U);
}

TEST_F(ShadowTest, ANewRunRemembersNothing) {
  access(1, x, 4, plain | write);
  clear_shadow();
  access(2, x, 4, plain | write);
  EXPECT_TRUE(races().empty());
}

TEST_F(ShadowTest, ASavepointTakesBackWhatWasAccessedAfterIt) {
  for (unsigned id = 1; id < 6; ++id) access(id, x, 8, plain);
  ASSERT_TRUE(do_and_undo(
      [](Savepoint& into) {
        save_shadow(into);
        return true;
      },
      [] {
        for (unsigned id = 6; id < thread_count; ++id) access(id, x, 8, plain);
        access(6, x + 8, 8, plain | write);
      }));
  access(0, x, 16, plain | write);
  EXPECT_EQ(races().size(), 5U);
}

}  // namespace
}  // namespace heddle::runtime
