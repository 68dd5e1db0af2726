// Paths of threads, and cubes in terms of them.
#include "native/thread_paths.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/check.hpp"
#include "base/random.hpp"
#include "native/settings.hpp"
#include "runtime/abi/wire.h"

namespace heddle::native {
namespace {

// Main creates 1 and 3; 1 creates 2, and 2 creates 4.
const Numbering some{{{0, 0}, {1, 0}, {0, 1}, {2, 5}}};

TEST(ThreadPaths, NameAThreadByThoseThatLedToIt) {
  EXPECT_EQ(path_of(0, {}), "0");
  EXPECT_EQ(path_of(1, some), "0.0");
  EXPECT_EQ(path_of(2, some), "0.0.0");
  EXPECT_EQ(path_of(3, some), "0.1");
  EXPECT_EQ(path_of(4, some), "0.0.0.5");
}

TEST(ThreadPaths, OfKnownThreadsLeaveTheNumberingAsItIs) {
  Numbering numbering = some;
  for (ThreadId thread = 0; thread <= some.threads.size(); ++thread)
    EXPECT_EQ(number_of(path_of(thread, some), numbering), thread);
  EXPECT_EQ(numbering, some);
}

TEST(ThreadPaths, OfOthersExtendItByAllThatLeadToThem) {
  Numbering numbering;
  EXPECT_EQ(number_of("0.3.1", numbering), 2U);
  EXPECT_EQ(numbering, (Numbering{{{0, 3}, {1, 1}}}));
  EXPECT_EQ(number_of("0.3.2", numbering), 3U);
  EXPECT_EQ(number_of("0.3", numbering), 1U);
  EXPECT_EQ(number_of("0", numbering), 0U);
  EXPECT_EQ(numbering, (Numbering{{{0, 3}, {1, 1}, {1, 2}}}));
  EXPECT_TRUE(numbering.is_sound());
}

TEST(ThreadPaths, ThatAreNoneAreRefusedAndAddNothing) {
  for (const char* text :
       {"",     "1",    "00",   "0.",   ".0",   "0..1",         "0.1.",
        "0.01", "0.64", "0.-1", "0.+1", "0. 1", " 0",           "0 ",
        "0.1 ", "0.x",  "0.1x", "0x",   "0,1",  "0.4294967297", "0.99999999999999999999"}) {
    Numbering numbering = some;
    EXPECT_THROW(number_of(text, numbering), Misuse) << text;
    EXPECT_EQ(numbering, some) << text;
  }
}

TEST(ThreadPaths, OfMoreThreadsThanThereCanBeAreRefused) {
  Numbering numbering;
  for (unsigned k = 0; k + 2 < abi::max_threads; ++k)
    EXPECT_EQ(number_of("0." + std::to_string(k), numbering), k + 1);
  Numbering full = numbering;
  EXPECT_THROW(number_of("0.1.0.0", full), Misuse);  // two more, and there is one
  EXPECT_EQ(full, numbering);
  EXPECT_EQ(number_of("0.1.0", full), abi::max_threads - 1);
  EXPECT_TRUE(full.is_sound());
  EXPECT_THROW(number_of("0.1.1", full), Misuse);
  EXPECT_EQ(number_of("0.1.0", full), abi::max_threads - 1);
  EXPECT_EQ(number_of("0.61", full), 62U);
}

const Cube two{{{{3, 3}, {0, 5}, false}, {{0, 7}, {4, 0}, true}}};

TEST(CubeText, HasPathsInPlaceOfNumbers) {
  EXPECT_EQ(to_text(Cube(), some), "");
  EXPECT_EQ(to_text(two, some), "0.1:3<0:5 0:7<0.0.0.5:0!");
}

TEST(CubeText, IsReadAsItIsWritten) {
  Numbering numbering = some;
  EXPECT_EQ(cube_of("", numbering), Cube());
  EXPECT_EQ(cube_of(to_text(two, some), numbering), two);
  EXPECT_EQ(numbering, some);
}

TEST(CubeText, MeansTheSameBesideAnotherNumbering) {
  Numbering numbering{{{0, 1}}};
  const Cube other = cube_of(to_text(two, some), numbering);
  EXPECT_EQ(other.waits[0].first, (StepName{1, 3}));
  EXPECT_EQ(other.waits[1].second, (StepName{4, 0}));
  EXPECT_EQ(numbering, (Numbering{{{0, 1}, {0, 0}, {2, 0}, {3, 5}}}));
  EXPECT_EQ(to_text(other, numbering), to_text(two, some));
}

TEST(CubeText, ThatIsNotOursIsRefusedAndAddsNothing) {
  for (const char* text : {" ",
                           "0:1",
                           "0:1<",
                           "<0:1",
                           "0:1<0.1",
                           "0.1<0:1",
                           "0:1<0.1:2 ",
                           " 0:1<0.1:2",
                           "0:1<0.1:2  0:1<0.1:3",
                           "0:1<0.1:2!!",
                           "0:1!<0.1:2",
                           "0:1<0.1:2<0.2:3",
                           "0:1<0:2",
                           "0.1:1<0.1:2",
                           "0:01<0.1:2",
                           "0:<0.1:2",
                           "0:-1<0.1:2",
                           "0:1<1:2",
                           "0:1<0.64:2",
                           "0:262144<0.1:2",
                           "0:4294967296<0.1:2",
                           "0:1<0.7:2 x",
                           "0:1<0.7:2\n",
                           "0:1<0.7:2,0:1<0.1:3",
                           "0.7:1<0.1:2 0.7:x<0:1"}) {
    Numbering numbering = some;
    EXPECT_THROW(cube_of(text, numbering), Misuse) << text;
    EXPECT_EQ(numbering, some) << text;
  }
}

TEST(CubeText, OfMoreWaitsThanAWorkerTakesIsRefused) {
  Cube most;
  for (std::uint32_t k = 0; k < abi::max_waits; ++k)
    most.waits.push_back({{0, k}, {1, k}, k % 2 == 1});
  Numbering numbering = some;
  EXPECT_EQ(cube_of(to_text(most, some), numbering), most);
  const auto settings = settings_of({}, {}, Covers::final_states, most);
  EXPECT_EQ(settings->wait_count, abi::max_waits);
  EXPECT_EQ(settings->waits[7].second_thread, 1);
  EXPECT_EQ(settings->waits[7].first_index, 7U);
  Cube more = most;
  more.waits.push_back({{0, abi::max_waits}, {1, 0}, false});
  EXPECT_THROW(cube_of(to_text(more, some), numbering), Misuse);
  EXPECT_THROW(settings_of({}, {}, Covers::final_states, more), Misuse);
}

TEST(CubeText, ComesBackWhateverTheCube) {
  Random random(1);
  for (int n = 0; n < 200; ++n) {
    Numbering numbering;
    for (std::size_t k = 0; k < random.below(abi::max_threads); ++k) {
      const Numbering::Child child{static_cast<std::uint8_t>(random.below(k + 1)),
                                   static_cast<std::uint8_t>(random.below(abi::max_threads))};
      numbering.threads.push_back(child);
      if (!numbering.is_sound()) numbering.threads.pop_back();
      if (numbering.threads.size() <= k) break;
    }
    const auto threads = static_cast<std::uint32_t>(numbering.threads.size() + 1);
    Cube cube;
    while (threads > 1 && random.below(4) != 0) {
      Wait w{{static_cast<ThreadId>(random.below(threads)),
              static_cast<std::uint32_t>(random.below(abi::max_steps))},
             {static_cast<ThreadId>(random.below(threads)),
              static_cast<std::uint32_t>(random.below(abi::max_steps))},
             random.below(2) == 0};
      if (w.first.thread != w.second.thread) cube.waits.push_back(w);
    }
    Numbering same = numbering, other;
    EXPECT_EQ(cube_of(to_text(cube, numbering), same), cube);
    EXPECT_EQ(same, numbering);
    const Cube elsewhere = cube_of(to_text(cube, numbering), other);
    EXPECT_TRUE(other.is_sound());
    EXPECT_EQ(to_text(elsewhere, other), to_text(cube, numbering));
  }
}

}  // namespace
}  // namespace heddle::native
