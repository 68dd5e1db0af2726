#include "report/option_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/check.hpp"

namespace heddle::report {
namespace {

using native::Options;
using testing::ElementsAre;

Options unusual() {
  Options o;
  o.races = abi::Races::explore;
  o.timeouts = abi::Timeouts::explore;
  o.spurious_wakeups = o.isolate = o.all_visible = o.kill_at_exit = o.keep_going = true;
  o.nondet = {-1, 7};
  o.max_steps = 77;
  o.waiting_rounds = 3;
  o.explore.order = ExploreOptions::Pick::random;
  o.explore.seed = 9;
  return o;
}

TEST(OptionWords, AreThoseThatAreNotUsual) {
  EXPECT_THAT(option_words(Options(), Scope::exploration), ElementsAre());
  EXPECT_THAT(option_words(unusual(), Scope::runs),
              ElementsAre("races=explore", "timeouts=explore", "spurious-wakeups", "isolate=fork",
                          "all-visible", "nondet=-1,7", "max-steps=77", "waiting-rounds=3"));
  EXPECT_EQ(command_line_options(unusual()),
            " --races=explore --timeouts=explore --spurious-wakeups --isolate=fork --all-visible "
            "--nondet=-1,7 --max-steps=77 --waiting-rounds=3");
}

TEST(OptionWords, ComeBackAsTheyWere) {
  const Options o = unusual();
  const auto words = option_words(o, Scope::exploration);
  EXPECT_EQ(words.size(), 12u);
  Options back;
  for (const std::string& word : words) read_option(word, back);
  EXPECT_EQ(option_words(back, Scope::exploration), words);
  EXPECT_EQ(back.races, o.races);
  EXPECT_EQ(back.timeouts, o.timeouts);
  EXPECT_TRUE(back.spurious_wakeups && back.isolate && back.all_visible && back.kill_at_exit &&
              back.keep_going);
  EXPECT_EQ(back.nondet, o.nondet);
  EXPECT_EQ(back.max_steps, o.max_steps);
  EXPECT_EQ(back.waiting_rounds, o.waiting_rounds);
  EXPECT_EQ(back.explore.order, o.explore.order);
  EXPECT_EQ(back.explore.seed, o.explore.seed);
}

TEST(OptionWords, OthersAreRefused) {
  for (const char* word :
       {"", "=", "races", "races=", "races=report", "isolate=1", "keep-going=yes",
        "nondet=", "nondet=1,", "nondet=x", "max-steps=0", "max-steps=99999999", "waiting-rounds=0",
        "waiting-rounds=1001", "order=leftmost", "seed=-1", "seed=", "frobnicate"}) {
    Options o;
    EXPECT_THROW(read_option(word, o), Misuse) << word;
  }
}

}  // namespace
}  // namespace heddle::report
