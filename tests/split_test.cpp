// By what cubes are split, and into how many parts.
#include "parallel/split.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "core/algorithm.hpp"
#include "interp/engine.hpp"
#include "interp/families.hpp"
#include "parallel/choose.hpp"

namespace heddle::parallel {
namespace {

const auto never = [] { return false; };

// Its cubes are halves of halves: "ab" is the second half of the first half of the whole.
class HalvesOnly : public Engine {
 public:
  std::function<std::optional<Halves>(const std::string&)> on_halves;
  int asked = 0;

  std::optional<Halves> halves(const std::string& cube) override {
    ++asked;
    return on_halves(cube);
  }
  Explored explore(const Item&, Look&) override { return {}; }
  Json yield() override { return nullptr; }
  void keep() override {}
  void add(const Json&) override {}
  Counts total() const override { return {}; }
  Json sum() override { return nullptr; }
  void forget() override {}
  Json knowledge() override { return nullptr; }
  void learn(const Json&) override {}
};

std::vector<std::string> cubes_of(const std::vector<Item>& items) {
  std::vector<std::string> out;
  for (const Item& i : items) out.push_back(i.cube);
  return out;
}

TEST(Split, AlwaysSplitsTheLargest) {
  HalvesOnly engine;
  engine.on_halves = [](const std::string& cube) { return Halves{cube + "a", cube + "b"}; };
  const auto parts = split_into(engine, {.cube = "", .estimate = 64}, 6, never);
  EXPECT_EQ(cubes_of(parts), (std::vector<std::string>{"aaa", "aab", "aba", "abb", "ba", "bb"}));
  EXPECT_DOUBLE_EQ(parts[0].estimate, 8);
  EXPECT_DOUBLE_EQ(parts[5].estimate, 16);
}

TEST(Split, WhatCannotBeSplitIsOnePart) {
  HalvesOnly engine;
  engine.on_halves = [](const std::string& cube) {
    return cube == "a" ? std::nullopt : std::optional(Halves{cube + "a", cube + "b"});
  };
  const auto parts = split_into(engine, {.cube = ""}, 3, never);
  EXPECT_EQ(cubes_of(parts), (std::vector<std::string>{"a", "ba", "bb"}));
}

TEST(Split, StopsWhenAsked) {
  HalvesOnly engine;
  engine.on_halves = [](const std::string& cube) { return Halves{cube + "a", cube + "b"}; };
  const auto parts = split_into(engine, {.cube = ""}, 32, [&] { return engine.asked == 3; });
  EXPECT_EQ(parts.size(), 4U);
}

struct Sizes {
  double counted = 0, in_vain = 0, largest = 0;
};

Sizes sizes_of_parts(const interp::Program& program, const Algorithm& algorithm,
                     std::size_t wanted) {
  class All final : public Look {
   public:
    Asked look(const Live&) override { return Asked::proceed; }
    std::uint64_t more_runs() override { return any_number; }
    bool is_over() override { return false; }
  };
  interp::ModelEngine engine(program, algorithm, {}, false);
  Sizes out;
  for (const Item& part : split_into(engine, {.cube = ""}, wanted, never)) {
    All all;
    engine.forget();
    EXPECT_EQ(engine.explore(part, all).end, Engine::End::complete);
    engine.keep();
    const auto runs = static_cast<double>(engine.total().executions + engine.total().blocked);
    out.counted += runs;
    out.in_vain += static_cast<double>(engine.total().discarded);
    out.largest = std::max(out.largest, runs);
  }
  return out;
}

// Of 8 parts of equal size, each would have an eighth.
TEST(Choose, PartsAreOfComparableSizeAndNoRunIsInVain) {
  const std::map<std::string, std::pair<int, double>> executions = {{"lastzero", {9, 1536}},
                                                                    {"readers", {10, 1024}},
                                                                    {"floatingread", {5, 720}},
                                                                    {"boundedbuffer", {5, 252}}};
  for (const auto& [name, expected] : executions) {
    SCOPED_TRACE(name);
    const Sizes sizes = sizes_of_parts(interp::find_family(name)->make(expected.first),
                                       *find_algorithm("optimal"), 8);
    EXPECT_EQ(sizes.counted, expected.second);
    EXPECT_EQ(sizes.in_vain, 0);
    EXPECT_LT(sizes.largest, 0.35 * sizes.counted);
  }
}

TEST(Choose, NothingIsSplitWhereNothingRaces) {
  const interp::Program program = interp::find_family("running-example")->make(0);
  interp::ModelEngine engine(program, *find_algorithm("optimal"), {}, false);
  std::string cube;
  std::size_t splits = 0;
  // To the first half again and again: in the end it has one run.
  for (; const auto halves = engine.halves(cube); ++splits) cube = halves->first;
  EXPECT_GT(splits, 0U);
  EXPECT_LT(splits, 20U);
}

}  // namespace
}  // namespace heddle::parallel
