// When a forecast is made, and that it holds, on what trees told while they were explored.
#include "core/forecast.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace heddle {
namespace {

TEST(Forecast, SaysNothingWhileTheNumberFollowsTheRuns) {
  Forecast forecast;
  for (double n = 1; n < 1e6; n *= 1.3) {
    forecast.note(n, 2 * n);
    EXPECT_FALSE(forecast.range());
  }
}

TEST(Forecast, SaysNothingBeforeAboutHalfIsDone) {
  Forecast forecast;
  for (double n = 1; n < 400; n *= 1.1) {
    forecast.note(n, 1000);
    EXPECT_FALSE(forecast.range()) << n;
  }
}

TEST(Forecast, GoesAsFarUpAsTheNumberMoved) {
  Forecast forecast;
  for (double n = 10; n < 800; n *= 1.1) forecast.note(n, n < 100 ? 500 : 1000);
  const auto range = forecast.range();
  ASSERT_TRUE(range);
  EXPECT_GE(range->low, 500);
  EXPECT_GE(range->low, 700);  // this many are done
  EXPECT_GE(range->high, 2000);
  EXPECT_LT(range->high, 2700);
}

TEST(Forecast, ForgetsWhatWasLongAgo) {
  Forecast forecast;
  forecast.note(1, 1'000'000);
  for (double n = 40; n < 1000; n *= 1.1) forecast.note(n, 1000);
  ASSERT_TRUE(forecast.range());
  EXPECT_LT(forecast.range()->high, 1400);
}

TEST(Forecast, BeginsAnewWithTheExploration) {
  Forecast forecast;
  for (double n = 10; n < 1000; n *= 1.1) forecast.note(n, 1000);
  ASSERT_TRUE(forecast.range());
  forecast.note(5, 1000);
  EXPECT_FALSE(forecast.range());
}

// Recorded by bench/forecast_bench.cpp.
struct Recorded {
  double total = 0;
  std::vector<std::pair<double, double>> told;
};

std::map<std::string, Recorded> recorded() {
  std::map<std::string, Recorded> out;
  std::ifstream in(HEDDLE_SOURCE_DIR "/tests/data/forecasts.tsv");
  std::string name;
  double total = 0, runs = 0, told = 0;
  while (in >> name >> total >> runs >> told) {
    out[name].total = total;
    out[name].told.emplace_back(runs, told);
  }
  return out;
}

TEST(Forecast, HoldsTheTruthInEightOfTenOrSaysNothing) {
  const auto trees = recorded();
  ASSERT_GT(trees.size(), 20U);
  for (const double share : {0.01, 0.1, 0.5}) {
    std::size_t right = 0, made = 0;
    for (const auto& [name, tree] : trees) {
      Forecast forecast;
      for (const auto& [runs, told] : tree.told)
        if (runs <= share * tree.total) forecast.note(runs, told);
      const auto range = forecast.range();
      if (!range) continue;
      ++made;
      if (range->low <= tree.total && tree.total <= range->high) ++right;
    }
    EXPECT_GE(right * 10, made * 8) << share;
    if (share == 0.5) {
      EXPECT_GE(made * 2, trees.size()) << "a forecast that never says anything is none";
    }
  }
}

}  // namespace
}  // namespace heddle
