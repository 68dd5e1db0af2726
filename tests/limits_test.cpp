// Model programs at the edges: numbers that overflow, indexes out of range, runs that never end.
#include <gtest/gtest.h>

#include "base/check.hpp"
#include "interp/runner.hpp"
#include "interp/text.hpp"

namespace heddle::interp {
namespace {

const Log& run(ModelRunner& runner) {
  runner.submit({});
  return runner.next();
}

std::string refusal(const char* text) {
  try {
    ModelRunner runner(parse_program(text));
    run(runner);
  } catch (const Misuse& misuse) {
    return misuse.what();
  }
  return "";
}

TEST(Limits, NumbersWrapAround) {
  ModelRunner runner(parse_program(
      "var x = 9223372036854775807\n"
      "thread p: x += 1; $0 = x; claim $0 == -9223372036854775808; $0 %= -1; claim $0 == 0\n"
      "  $1 := 9223372036854775807; $1 *= 2; claim $1 == -2; $1 += $1; claim $1 == -4; fence\n"));
  EXPECT_FALSE(run(runner).failed());
}

TEST(Limits, AnIndexOutOfRangeIsAFinding) {
  for (const char* index : {"3", "-1", "4294967296", "9223372036854775807"}) {
    ModelRunner runner(parse_program(std::string("array a 3\nvar x\nthread p: $0 := ") + index +
                                     "; $1 = a[$0]\n"));
    EXPECT_TRUE(run(runner).failed()) << index;
  }
  ModelRunner last(parse_program("array a 3\nthread p: $0 := 2; $1 = a[$0]\n"));
  EXPECT_FALSE(run(last).failed());
}

TEST(Limits, ARunThatNeverEndsIsRefused) {
  EXPECT_NE(refusal("var x\nthread p: L: $0 = x; goto L\n").find("more than 10000 steps"),
            std::string::npos);
  EXPECT_NE(refusal("thread p: fence; L: goto L\n").find("loops without taking a step"),
            std::string::npos);
}

TEST(Limits, InitialValuesThatMakeNoSenseAreRefused) {
  EXPECT_EQ(refusal("barrier b = 0\nthread p: barrier b\n"), "barrier b has a count below 1");
  EXPECT_EQ(refusal("sem s = -1\nthread p: sem_wait s\n"),
            "semaphore s has a negative initial value");
}

TEST(Limits, AThreadIsCreatedInOnePlace) {
  EXPECT_EQ(refusal("thread p: create t\nthread q: create t\ncreated t: fence\n"),
            "thread t is created in more than one place");
}

}  // namespace
}  // namespace heddle::interp
