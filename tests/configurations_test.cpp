// What merging keeps of events that can follow a state, when others are forgotten; and that it
// keeps within the memory it is given.
#include "core/reduction/configurations.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "base/random.hpp"

namespace heddle {
namespace {

// Carried over events at random; then half of them are forgotten, and the others are what they
// were.
TEST(Merging, KeepsConfigurationsAsTheyAre) {
  Footprints footprints;
  Configurations configurations(footprints, {});
  std::vector<StepNumber> steps;
  for (ThreadId t = 0; t < 4; ++t)
    for (const Mode mode : {Mode::read, Mode::write})
      for (Location x = 0; x < 3; ++x)
        steps.push_back(
            configurations.step({{t, 0}, footprints.intern(std::vector<Access>{{x, mode}}), 1, 0}));
  const auto firsts = [&](ConfigurationNumber c) {
    const auto all = configurations.firsts(c);
    return std::vector<StepNumber>(all.begin(), all.end());
  };
  // What becomes of it, over each step; of what it becomes, only what can be seen.
  const auto described = [&](ConfigurationNumber c) {
    std::vector<std::vector<StepNumber>> out = {firsts(c)};
    for (const StepNumber e : steps) {
      const Carried carried = configurations.carry(e, c);
      out.push_back({static_cast<StepNumber>(carried.race), carried.count});
      if (carried.count != 0) out.push_back(firsts(carried.to[0]));
    }
    return out;
  };
  Random random(1);
  std::vector<ConfigurationNumber> made;
  for (int k = 0; k < 300; ++k) {
    ConfigurationNumber c = configurations.alone(random.pick(steps));
    for (std::uint64_t n = random.below(6); n != 0; --n) {
      const Carried carried = configurations.carry(random.pick(steps), c);
      if (carried.count != 0) c = carried.to[0];
    }
    made.push_back(c);
  }
  made.resize(150);
  std::vector<std::vector<std::vector<StepNumber>>> before;
  for (const ConfigurationNumber c : made) before.push_back(described(c));
  const std::size_t size = configurations.size();
  std::vector<ConfigurationNumber> numbers(size, Configurations::unmarked);
  for (const ConfigurationNumber c : made) numbers[c] = Configurations::marked;
  configurations.keep(numbers);
  EXPECT_LT(configurations.size(), size / 2);
  for (std::size_t k = 0; k < made.size(); ++k)
    EXPECT_EQ(described(numbers[made[k]]), before[k]) << k;
}

// A read of one thread does not stand for an add of another.
TEST(Merging, KnowsAllThatOthersDoToMemory) {
  Footprints footprints;
  Configurations configurations(footprints, {});
  const auto step = [&](ThreadId thread, const std::vector<Access>& accesses) {
    return configurations.step({{thread, 0}, footprints.intern(accesses), 1, 0});
  };
  const Access sees{0, Mode::read}, reads{1, Mode::read}, adds{1, Mode::add};
  ConfigurationNumber c = configurations.alone(step(0, {{0, Mode::write}}));
  c = configurations.carry(step(1, {sees, reads}), c).to[0];
  EXPECT_EQ(configurations.carry(step(3, {sees, reads}), c).race, Carried::Race::yes);
  c = configurations.carry(step(2, {sees, adds}), c).to[0];
  EXPECT_EQ(configurations.carry(step(3, {sees, reads}), c).race, Carried::Race::no);
}

// Of the whole process, which has 8 MB without a graph. With all states it takes 90 MB, and with
// all configurations 30 MB.
TEST(Merging, KeepsWithinItsMemory) {
  const std::string command = std::string(HEDDLE_BINARY) +
                              " model lastzero --size 13 --algorithm merging --memory 8 --json";
  FILE* const from = popen(command.c_str(), "r");
  ASSERT_NE(from, nullptr);
  std::string out;
  for (int c = std::fgetc(from); c != EOF; c = std::fgetc(from)) out += static_cast<char>(c);
  ASSERT_EQ(pclose(from), 0);
  EXPECT_NE(out.find("\"executions\": 32768,"), std::string::npos) << out;
  const std::string key = "\"peak_rss_kb\": ";
  ASSERT_NE(out.find(key), std::string::npos) << out;
  EXPECT_LT(std::stol(out.substr(out.find(key) + key.size())), 24'000) << out;
}

}  // namespace
}  // namespace heddle
