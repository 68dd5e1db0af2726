#include "native/option_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/check.hpp"

namespace heddle::native {
namespace {

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
  EXPECT_THAT(command_line_of(unusual()),
              ElementsAre("--races", "explore", "--timeouts", "explore", "--spurious-wakeups",
                          "--isolate", "fork", "--all-visible", "--nondet", "-1,7", "--max-steps",
                          "77", "--waiting-rounds", "3"));
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
       {"", "=", "races", "races=", "races=x", "isolate=1", "keep-going=yes",
        "nondet=", "nondet=1,", "nondet=x", "max-steps=0", "max-steps=99999999", "waiting-rounds=0",
        "waiting-rounds=1001", "order=up", "time=3", "seed=-1", "seed=", "frobnicate"}) {
    Options o;
    EXPECT_THROW(read_option(word, o), Misuse) << word;
  }
}

TEST(OptionWords, NamesOfFilesMayHaveSpacesAndCommas) {
  Options o;
  o.suppress = {"my file", "a,b", "100%"};
  const auto words = option_words(o, Scope::runs);
  EXPECT_THAT(words, ElementsAre("suppress=my%20file,a%2cb,100%25"));
  Options back;
  read_option(words[0], back);
  EXPECT_EQ(back.suppress, o.suppress);
}

// Each row sets a member of its own, which is then no longer as it is by default.
TEST(OptionTable, EveryRowIsReadAndWritten) {
  for (const Option<Options>& option : option_table()) {
    Parts other;
    const Parts usual = option.write(Options());
    if (option.is_flag())
      other = {""};
    else if (option.choices)
      other = {std::string(option.choices().back())};
    else
      other = {"7"};
    ASSERT_NE(usual, other) << option.name;
    Options o;
    option.read(o, option, other);
    EXPECT_EQ(option.write(o), other) << option.name;
    EXPECT_FALSE(option.is_default(o)) << option.name;
    for (const Option<Options>& another : option_table())
      EXPECT_TRUE(another.name == option.name || another.is_default(o)) << another.name;
    EXPECT_FALSE(option.help.empty() || option.commands.empty()) << option.name;
  }
}

TEST(OptionTable, SaysWhatIsExpected) {
  const auto refusal = [](const std::string& word) -> std::string {
    Options o;
    try {
      read_option(word, o);
    } catch (const Misuse& misuse) {
      return misuse.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("order=foo"),
            "invalid value 'foo' for '--order' (expected leftmost or random)");
  EXPECT_EQ(refusal("waiting-rounds=1001"),
            "invalid value '1001' for '--waiting-rounds' (expected a number from 1 to 1000)");
  EXPECT_EQ(refusal("frobnicate=1"), "unknown option 'frobnicate'");
}

}  // namespace
}  // namespace heddle::native
