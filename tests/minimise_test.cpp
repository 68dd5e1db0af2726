// Failing schedules become short: fewer context switches, and never another finding.
#include "native/minimise.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/random.hpp"

namespace heddle::native {
namespace {

Schedule of_threads(std::initializer_list<int> threads) {
  Schedule out;
  for (const int t : threads) out.push_back({static_cast<ThreadId>(t), 0});
  return out;
}

// Threads that each take a number of steps and never wait. After the end of a schedule the thread
// that ran last continues, and then the first that can.
std::optional<Schedule> run(const std::vector<std::size_t>& steps, const Schedule& schedule) {
  std::vector<std::size_t> taken(steps.size());
  Schedule out;
  const auto take = [&](ThreadId t) {
    if (t >= steps.size() || taken[t] == steps[t]) return false;
    ++taken[t];
    out.push_back({t, 0});
    return true;
  };
  for (const Move& m : schedule)
    if (!take(m.thread)) return std::nullopt;
  while (true) {
    if (!out.empty() && take(out.back().thread)) continue;
    bool any = false;
    for (ThreadId t = 0; t < steps.size() && !any; ++t) any = take(t);
    if (!any) return out;
  }
}

std::size_t position(const Schedule& s, ThreadId thread, std::size_t nth) {
  for (std::size_t k = 0; k < s.size(); ++k)
    if (s[k].thread == thread && nth-- == 0) return k;
  return s.size();
}

// A lost update: each thread reads in its second step and writes in its third.
bool loses_update(const Schedule& s) {
  return position(s, 0, 1) < position(s, 1, 2) && position(s, 1, 1) < position(s, 0, 2);
}

TEST(Minimise, CountsEveryChangeOfThread) {
  EXPECT_EQ(switches({}), 0U);
  EXPECT_EQ(switches(of_threads({1, 1, 1})), 0U);
  EXPECT_EQ(switches(of_threads({0, 1, 1, 0, 2})), 3U);
}

TEST(Minimise, ReducesManySwitchesToTheKnownMinimum) {
  const std::vector<std::size_t> steps = {4, 4};
  const Schedule many = of_threads({0, 1, 0, 1, 0, 1, 0, 1});
  ASSERT_TRUE(loses_update(many));
  ASSERT_EQ(switches(many), 7U);
  const Schedule few = minimised(many, [&](const Schedule& s) -> std::optional<Schedule> {
    auto all = run(steps, s);
    return all && loses_update(*all) ? all : std::nullopt;
  });
  EXPECT_TRUE(loses_update(few));
  EXPECT_EQ(switches(few), 2U);
}

TEST(Minimise, MovesStretchesWhereTheEndMatters) {
  // What goes wrong is decided by the last move, so that nothing can be cut off.
  const std::vector<std::size_t> steps = {3, 3, 1};
  const Schedule many = of_threads({0, 1, 0, 1, 0, 1, 2});
  const Schedule few = minimised(many, [&](const Schedule& s) -> std::optional<Schedule> {
    auto all = run(steps, s);
    return all && s.size() == 7 && all->back().thread == 2 ? all : std::nullopt;
  });
  EXPECT_EQ(switches(few), 2U);
  EXPECT_EQ(few.back().thread, 2);
}

TEST(Minimise, KeepsWhatCannotBeReduced) {
  const Schedule s = of_threads({0, 1, 0, 1});
  EXPECT_EQ(minimised(s, [](const Schedule&) { return std::nullopt; }), s);
}

TEST(Minimise, NeverLosesTheFinding) {
  Random random(3);
  const std::vector<std::size_t> steps = {4, 5, 6};
  for (int k = 0; k < 200; ++k) {
    std::vector<std::size_t> left = steps;
    Schedule s;
    while (s.size() < 15)
      if (const auto t = random.below(3); left[t] > 0) {
        --left[t];
        s.push_back({static_cast<ThreadId>(t), 0});
      }
    if (!loses_update(s)) continue;
    const auto attempt = [&](const Schedule& tried) -> std::optional<Schedule> {
      auto all = run(steps, tried);
      return all && loses_update(*all) ? all : std::nullopt;
    };
    const Schedule few = minimised(s, attempt);
    EXPECT_TRUE(loses_update(few));
    EXPECT_LE(switches(few), switches(s));
    EXPECT_LE(switches(few), 4U) << to_text(few);
    EXPECT_EQ(few, minimised(s, attempt)) << "it is always the same";
  }
}

TEST(Minimise, StopsAtItsLimit) {
  std::size_t runs = 0;
  const Schedule s = of_threads({0, 1, 0, 1, 0, 1, 0, 1, 0, 1});
  minimised(s,
            [&](const Schedule&) -> std::optional<Schedule> {
              ++runs;
              return std::nullopt;
            },
            {.runs = 3});
  EXPECT_EQ(runs, 3U);
}

}  // namespace
}  // namespace heddle::native
