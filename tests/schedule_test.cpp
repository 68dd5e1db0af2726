// Schedules as text: every one survives, everything else is refused and says where.
#include "model/schedule.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/check.hpp"
#include "base/random.hpp"

namespace heddle {
namespace {

TEST(Schedule, IsWrittenAsMovesAndAlternatives) {
  EXPECT_EQ(to_text({}), "heddle-schedule 1:");
  EXPECT_EQ(to_text({{0, 0}, {0, 0}, {1, 0}, {2, 1}, {0, 0}}), "heddle-schedule 1: 0 0 1 2.1 0");
  EXPECT_EQ(to_text({{65535, 65535}}), "heddle-schedule 1: 65535.65535");
}

TEST(Schedule, IsReadFromAnyLayout) {
  const Schedule expected = {{0, 0}, {12, 3}, {1, 0}};
  for (const char* text :
       {"heddle-schedule 1: 0 12.3 1", "heddle-schedule 1:0 12.3 1",
        "  heddle-schedule 1:\n0\n12.3\n1\n", "\theddle-schedule 1:\r\n0\t12.3\r\n1\r\n",
        "heddle-schedule 1: 0.0 012.03 1.0"})
    EXPECT_EQ(parse_schedule(text), expected) << text;
  EXPECT_EQ(parse_schedule("heddle-schedule 1:"), Schedule{});
  EXPECT_EQ(parse_schedule("heddle-schedule 1: \n"), Schedule{});
}

std::string error_of(std::string_view text) {
  try {
    parse_schedule(text);
  } catch (const Misuse& e) {
    return e.what();
  }
  return "";
}

struct Wrong {
  std::string_view text;
  const char* error;
};

TEST(Schedule, SaysWhereATextIsNone) {
  using namespace std::string_view_literals;
  for (const Wrong& w : {
           Wrong{"", "at character 1: expected 'heddle-schedule'"},
           Wrong{"  \n", "at character 4: expected 'heddle-schedule'"},
           Wrong{"heddle-schedul 1: 0", "at character 1: expected 'heddle-schedule'"},
           Wrong{"HEDDLE-SCHEDULE 1: 0", "at character 1: expected 'heddle-schedule'"},
           Wrong{"heddle-schedule\t1: 0", "at character 1: expected 'heddle-schedule'"},
           Wrong{"0 1 2", "at character 1: expected 'heddle-schedule'"},
           Wrong{"heddle-schedule : 0", "at character 17: expected a version"},
           Wrong{"heddle-schedule ", "at character 17: expected a version"},
           Wrong{"heddle-schedule 2: 0",
                 "at character 18: this version of heddle reads version 1 only"},
           Wrong{"heddle-schedule 70000: 0", "at character 17: a version is too large"},
           Wrong{"heddle-schedule 1 0", "at character 18: expected ':'"},
           Wrong{"heddle-schedule 1", "at character 18: expected ':'"},
           Wrong{"heddle-schedule 1: x", "at character 20: expected a thread's number"},
           Wrong{"heddle-schedule 1: -1", "at character 20: expected a thread's number"},
           Wrong{"heddle-schedule 1: +1", "at character 20: expected a thread's number"},
           Wrong{"heddle-schedule 1: 0, 1", "at character 21: expected a thread's number"},
           Wrong{"heddle-schedule 1: 0 .1", "at character 22: expected a thread's number"},
           Wrong{"heddle-schedule 1: 0.1.2", "at character 23: expected a thread's number"},
           Wrong{"heddle-schedule 1: 0\0"sv, "at character 21: expected a thread's number"},
           Wrong{"heddle-schedule 1: 0 \xff", "at character 22: expected a thread's number"},
           Wrong{"heddle-schedule 1: 65536", "at character 20: a thread's number is too large"},
           Wrong{"heddle-schedule 1: 1.", "at character 22: expected an alternative"},
           Wrong{"heddle-schedule 1: 1. 2", "at character 22: expected an alternative"},
           Wrong{"heddle-schedule 1: 1.-2", "at character 22: expected an alternative"},
           Wrong{"heddle-schedule 1: 1.99999999999999999999",
                 "at character 22: an alternative is too large"},
       })
    EXPECT_EQ(error_of(w.text), std::string("not a schedule: ") + w.error) << w.text;
}

Schedule random_schedule(Random& random) {
  Schedule out(random.below(12));
  for (Move& m : out) {
    m.thread = static_cast<ThreadId>(random.chance(.9) ? random.below(12) : random.below(65536));
    if (random.chance(.2)) m.alternative = static_cast<std::uint16_t>(random.below(65536));
  }
  return out;
}

TEST(Schedule, SurvivesWritingAndReading) {
  Random random(1);
  for (int round = 0; round < 5'000; ++round) {
    const Schedule schedule = random_schedule(random);
    EXPECT_EQ(parse_schedule(to_text(schedule)), schedule);
  }
}

// What a slip of the keyboard, or of a disk, makes of a text.
std::string mutated(std::string text, Random& random) {
  static constexpr std::string_view letters("0123456789.: \n\tx-+heddle\0\xff", 26);
  for (int n = random.between(1, 4); n > 0 && !text.empty(); --n) {
    const std::size_t at = random.below(text.size());
    const std::size_t size = std::min(text.size() - at, 1 + random.below(6));
    switch (random.below(6)) {
      case 0:
        text[at] = static_cast<char>(text[at] ^ (1 << random.below(8)));
        break;
      case 1:
        text.erase(at, size);
        break;
      case 2:
        text.insert(random.below(text.size() + 1), text.substr(at, size));
        break;
      case 3:
        text[at] = letters[random.below(letters.size())];
        break;
      case 4:
        text.insert(at, 1, letters[random.below(letters.size())]);
        break;
      default:
        text.resize(at);
    }
  }
  return text;
}

TEST(Schedule, MutatedTextsAreReadOrRefused) {
  Random random(2);
  int read = 0, refused = 0;
  for (int round = 0; round < 50'000; ++round) {
    const std::string text = mutated(to_text(random_schedule(random)), random);
    Schedule schedule;
    try {
      schedule = parse_schedule(text);
    } catch (const Misuse& e) {
      ++refused;
      ASSERT_EQ(std::string(e.what()).substr(0, 29), "not a schedule: at character ") << text;
      continue;
    }
    ++read;
    ASSERT_EQ(parse_schedule(to_text(schedule)), schedule) << text;
  }
  EXPECT_GT(read, 2'000);
  EXPECT_GT(refused, 5'000);
}

}  // namespace
}  // namespace heddle
