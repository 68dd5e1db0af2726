// Data races of plain accesses: by the acts of stretches, in runs, and on the graph of states.
#include "core/reduction/plain.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "core/algorithm.hpp"
#include "core/reduction/merging.hpp"
#include "interp/oracle.hpp"
#include "interp/runner.hpp"
#include "interp/shuffled_runner.hpp"
#include "interp/text.hpp"

namespace heddle::interp {
namespace {

using Pairs = std::vector<RacingPair>;

// --- acts

constexpr Name p = 0, q = 1, m = 2, n = 70;  // two words of names

Act read(Name thread) { return Act::access({.granule = 1, .place = thread, .thread = thread}); }
Act write(Name thread) {
  return Act::access({.granule = 1, .place = thread, .thread = thread, .writes = true});
}

using Edges = std::vector<std::vector<Act>>;

// The number of races along these edges, as a graph finds them: from the last to the first.
std::size_t backwards(const Edges& edges) {
  Stretches stretches;
  Plain plain(stretches);
  do {
    Plain::Set set = Plain::none;
    for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge)
      set = plain.before(stretches.intern(*edge), set);
  } while (plain.take_growth());
  return plain.take_races().size();
}

// The same in a run.
std::size_t forwards(const Edges& edges) {
  Knowledge knowledge;
  Accesses accesses;
  for (const auto& edge : edges)
    for (const Act& act : edge) knowledge.apply(act, accesses);
  return knowledge.races().size();
}

struct Acts {
  const char* what;
  Edges edges;
  std::size_t races;
};

TEST(Plain, FollowsKnowledge) {
  const std::vector<Acts> cases = {
      {"nothing orders them", {{write(p)}, {read(q)}}, 1},
      {"within a stretch", {{write(p), read(q)}}, 1},
      {"two reads", {{read(p)}, {read(q)}}, 0},
      {"of one thread", {{write(p)}, {write(p)}}, 0},
      {"by a lock", {{write(p)}, {Act::release(p, m)}, {Act::acquire(q, m)}, {read(q)}}, 0},
      {"by a far name", {{write(p), Act::release(p, n)}, {Act::acquire(q, n), read(q)}}, 0},
      {"released too early", {{Act::release(p, m), write(p)}, {Act::acquire(q, m), read(q)}}, 1},
      {"acquired too late", {{write(p), Act::release(p, m)}, {read(q), Act::acquire(q, m)}}, 1},
      {"another lock", {{write(p), Act::release(p, m)}, {Act::acquire(q, n), read(q)}}, 1},
      {"known the first time",
       {{write(p), Act::release(p, m)}, {write(p)}, {Act::acquire(q, m), read(q)}},
       1},
      {"unlocks add",
       {{write(p), Act::release(p, m)}, {Act::release(q, m)}, {Act::acquire(q, m), read(q)}},
       0},
      {"stores do not",
       {{write(p), Act::begin(p, m)}, {Act::begin(q, m)}, {Act::acquire(q, m), read(q)}},
       1},
      {"a store gives", {{write(p), Act::begin(p, m)}, {Act::acquire(q, m), read(q)}}, 0},
      {"a creation gives", {{write(p), Act::begin(p, q), read(q)}}, 0},
      {"a sequence ends",
       {{write(p), Act::begin(p, m)}, {Act::forget(m)}, {Act::acquire(q, m), read(q)}},
       1},
      {"by two names",
       {{write(p), Act::release(p, m)}, {Act::release(m, n)}, {Act::acquire(q, n), read(q)}},
       0},
  };
  for (const Acts& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(backwards(c.edges), c.races);
    EXPECT_EQ(forwards(c.edges), c.races);
  }
}

TEST(Plain, LooksAtBytesAndGranules) {
  const auto races = [](const PlainAccess& one, const PlainAccess& other) {
    return backwards({{Act::access(one)}, {Act::access(other)}}) == 1;
  };
  const PlainAccess w{.granule = 3, .place = 1, .thread = p, .bytes = 0x0f, .writes = true};
  PlainAccess other{.granule = 3, .place = 2, .thread = q, .bytes = 0x08};
  EXPECT_TRUE(races(w, other));
  other.bytes = 0xf0;
  EXPECT_FALSE(races(w, other));
  other.bytes = 0x08;
  other.granule = 4;
  EXPECT_FALSE(races(w, other));
  other.granule = 3;
  other.atomic = true;
  EXPECT_TRUE(races(w, other));
  PlainAccess atomic = w;
  atomic.atomic = true;
  EXPECT_FALSE(races(atomic, other));
}

TEST(Plain, LooksAtRanges) {
  const auto races = [](const PlainAccess& one, const PlainAccess& other) {
    const bool first = backwards({{Act::access(one)}, {Act::access(other)}}) == 1;
    EXPECT_EQ(first, backwards({{Act::access(other)}, {Act::access(one)}}) == 1);
    EXPECT_EQ(first, forwards({{Act::access(one)}, {Act::access(other)}}) == 1);
    return first;
  };
  for (const std::uint32_t many : {3U, 1000U}) {
    const PlainAccess w{.granule = 100, .place = 1, .thread = p, .granules = many, .writes = true};
    const auto at = [&](std::uint64_t granule, std::uint32_t granules) {
      return PlainAccess{.granule = granule, .place = 2, .thread = q, .granules = granules};
    };
    EXPECT_TRUE(races(w, at(100, 1)));
    EXPECT_TRUE(races(w, at(99 + many, 1)));
    EXPECT_TRUE(races(w, at(0, 101)));
    EXPECT_TRUE(races(w, at(0, 5000)));
    EXPECT_FALSE(races(w, at(100 + many, 5)));
    EXPECT_FALSE(races(w, at(0, 100)));
  }
}

// What comes after the end of memory is something else.
TEST(Plain, NothingRacesWithAnEarlierEnd) {
  const PlainAccess end{.granule = 1, .place = 1, .thread = p, .writes = true, .ends = true};
  EXPECT_EQ(backwards({{read(q)}, {Act::access(end)}}), 1U);
  EXPECT_EQ(backwards({{Act::access(end)}, {read(q)}}), 0U);
  EXPECT_EQ(forwards({{read(q)}, {Act::access(end)}}), 1U);
  EXPECT_EQ(forwards({{Act::access(end)}, {read(q)}}), 0U);
}

// An access follows a state from when one is seen that it conflicts with.
TEST(Plain, WhatNothingConflictsWithDoesNotMatter) {
  Stretches stretches;
  Plain plain(stretches);
  const StretchId reads = stretches.intern(std::vector{read(q)});
  EXPECT_EQ(plain.before(reads, Plain::none), Plain::none);
  EXPECT_EQ(plain.before(stretches.intern(std::vector{write(q)}), Plain::none), Plain::none);
  EXPECT_FALSE(plain.take_growth());
  const StretchId writes = stretches.intern(std::vector{write(p)});
  EXPECT_NE(plain.before(writes, Plain::none), Plain::none);
  EXPECT_TRUE(plain.take_growth());
  EXPECT_TRUE(plain.grew(reads));
  EXPECT_FALSE(plain.grew(writes));
  EXPECT_NE(plain.before(reads, Plain::none), Plain::none);
  EXPECT_FALSE(plain.take_growth());
}

TEST(Plain, AllMatterIfTheyHaveTo) {
  Stretches stretches;
  Plain plain(stretches);
  const StretchId reads = stretches.intern(std::vector{read(q)});
  EXPECT_EQ(plain.before(reads, Plain::none), Plain::none);
  plain.let_all_matter();
  EXPECT_TRUE(plain.take_growth());
  EXPECT_TRUE(plain.grew(reads));
  EXPECT_NE(plain.before(reads, Plain::none), Plain::none);
  EXPECT_NE(plain.before(stretches.intern(std::vector{read(p)}), Plain::none), Plain::none);
  plain.let_all_matter();
  EXPECT_FALSE(plain.take_growth());
}

TEST(Plain, KeepsTheSmallestOnly) {
  Stretches stretches;
  Plain plain(stretches);
  plain.let_all_matter();
  const Plain::Set one = plain.before(stretches.intern(std::vector{read(q)}), Plain::none);
  const Plain::Set more =
      plain.before(stretches.intern(std::vector{Act::acquire(q, m), read(q)}), Plain::none);
  EXPECT_NE(one, more);
  EXPECT_EQ(plain.joined(one, more), one);
  EXPECT_EQ(plain.joined(more, one), one);
  const Plain::Set else_where = plain.before(stretches.intern(std::vector{read(p)}), Plain::none);
  EXPECT_EQ(plain.joined(else_where, one), plain.joined(one, else_where));
  EXPECT_NE(plain.joined(else_where, one), one);
}

// --- programs

Pairs brute_force(const Program& program) {
  ModelMachine machine(program);
  return *all_races(machine, 100'000);
}

struct Seen {
  Result result;
  std::set<RacingPair> in_runs;
};

Seen explore(const Algorithm& algorithm, const Program& program, Runner& runner,
             ExploreOptions options = {}) {
  Seen seen;
  ModelMachine machine(program);
  options.on_run = [&](const Log& log) {
    seen.in_runs.insert(log.races.begin(), log.races.end());
    return Decision::proceed;
  };
  seen.result = algorithm.explore({runner, machine}, options);
  return seen;
}

// All algorithms show all races, and merging does so in any order, also with too little memory.
void expect_races(const std::string& text, std::size_t races, std::uint64_t orders = 40) {
  SCOPED_TRACE(text);
  const Program program = parse_program(text);
  const Pairs expected = brute_force(program);
  EXPECT_EQ(expected.size(), races);
  ModelRunner runner(program);
  for (const Algorithm& a : algorithms()) {
    if (!a.plain) continue;
    const Seen seen = explore(a, program, runner);
    EXPECT_EQ(Pairs(seen.in_runs.begin(), seen.in_runs.end()), expected) << a.name;
    EXPECT_EQ(seen.result.counts.findings > 0, races > 0) << a.name;
  }
  for (std::uint64_t seed = 1; seed <= orders; ++seed) {
    ShuffledRunner shuffled(runner, 1 + seed % 8, seed);
    ExploreOptions options;
    options.order = ExploreOptions::Pick::random;
    options.seed = seed;
    if (seed % 3 == 0) options.most_states = 1 + seed % 11;
    const Seen seen = explore(*find_algorithm("merging"), program, shuffled, options);
    ASSERT_EQ(seen.result.races, expected) << "seed " << seed;
    ASSERT_EQ(Pairs(seen.in_runs.begin(), seen.in_runs.end()), expected) << "seed " << seed;
  }
}

// Both orders of the critical sections lead to one state, and the race is in one only.
TEST(PlainRaces, AreCarriedThroughKnownStates) {
  expect_races(
      "var x\nvar u\nmutex m\n"
      "thread p: lock m; $0 = plain u; unlock m\n"
      "thread q: lock m; unlock m; x += 1; plain u = 1\n",
      1, 400);
}

// The same, but what follows the state is at first explored in an order in which q learns of p.
TEST(PlainRaces, AreCarriedOverAllEdgesWhenTheyComeLater) {
  expect_races(
      "var x\nvar y\nvar u\nmutex m\n"
      "thread p: lock m; $0 = plain u; unlock m; y = 1 relaxed; x = 1\n"
      "thread q: lock m; unlock m; assume y == 1 relaxed; $0 = x; plain u = 1\n",
      1, 600);
}

TEST(PlainRaces, AreFoundBeforeTheFirstStep) {
  expect_races("var u\nthread p: plain u = 1\nthread q: plain u\nthread r: plain u; fence\n", 2);
}

TEST(PlainRaces, HangOnMemoryOrders) {
  const auto passes_on = [](const std::string& store, const std::string& load) {
    return "var x\nvar u\nthread p: plain u = 1; " + store + "\nthread q: " + load +
           "; if $0 == 0 goto end; plain u; end:\n";
  };
  expect_races(passes_on("x = 1", "$0 = x"), 0);
  expect_races(passes_on("x = 1 release", "$0 = x acquire"), 0);
  expect_races(passes_on("x = 1 relaxed", "$0 = x acquire"), 1);
  expect_races(passes_on("x = 1 release", "$0 = x relaxed"), 1);
  expect_races(passes_on("fence release; x = 1 relaxed", "$0 = x relaxed; fence acquire"), 0);
  expect_races(passes_on("fence acquire; x = 1 relaxed", "$0 = x relaxed; fence acquire"), 1);
  expect_races(passes_on("fence release; x = 1 relaxed", "$0 = x relaxed; fence release"), 1);
  expect_races(passes_on("x = 1 relaxed; fence release", "$0 = x acquire"), 1);
  expect_races(passes_on("fetch_add x 1 acquire", "$0 = x"), 1);
  expect_races(passes_on("fetch_add x 1 acq_rel", "$0 = fetch_add x 0 acquire"), 0);
}

TEST(PlainRaces, HangOnReleaseSequences) {
  const auto between = [](const std::string& what) {
    return "var x\nvar u\nthread p: plain u = 1; x = 1 release\nthread q: " + what +
           "\nthread r: assume x == 2 acquire; plain u\n";
  };
  expect_races(between("fetch_add x 1 relaxed"), 0);
  expect_races(between("assume x == 1 relaxed; x = 2 relaxed"), 1);
  expect_races(between("assume x == 1 relaxed; x = 2 release"), 1);
  expect_races(between("assume x == 1 acquire; x = 2 release"), 0);
}

TEST(PlainRaces, HangOnEveryWayToSynchronise) {
  expect_races(
      "var u\nmutex m\nthread p: lock m; plain u = 1; unlock m\n"
      "thread q: lock m; plain u; unlock m\n",
      0);
  expect_races(
      "var u\nmutex m\nthread p: lock m; plain u = 1; unlock m\n"
      "thread q: $0 = try_lock m; plain u\n",
      1);
  expect_races(
      "var u\nrwlock l\nthread p: read_lock l; plain u = 1; read_unlock l\n"
      "thread q: read_lock l; plain u; read_unlock l\n",
      1);
  expect_races(
      "var u\nrwlock l\nthread p: read_lock l; plain u; read_unlock l\n"
      "thread q: write_lock l; plain u = 1; write_unlock l\n",
      0);
  expect_races("var u\nsem s\nthread p: plain u = 1; sem_post s\nthread q: sem_wait s; plain u\n",
               0);
  expect_races(
      "var u\nsem s = 1\nthread p: plain u = 1; sem_post s\n"
      "thread q: sem_wait s; plain u\n",
      1);
  expect_races(
      "var u\nbarrier b = 2\nthread p: plain u = 1; barrier b\n"
      "thread q: barrier b; plain u\n",
      0);
  expect_races(
      "var u\nthread p: plain u = 1; create q; plain u = 2\n"
      "created q: plain u\n",
      1);
  expect_races("var u\nthread p: create q; join q; plain u\ncreated q: plain u = 1\n", 0);
  expect_races(
      "var u\nthread p: plain u = 1; send q 0; send q 1\n"
      "thread q: receive 1; plain u\n",
      0);
  expect_races(
      "var u\nthread p: send q 0; plain u = 1; send q 1\n"
      "thread q: receive 0; plain u\n",
      1);
  expect_races(
      "var u\nmutex m\ncond c\nthread p: lock m; wait c m; plain u; unlock m\n"
      "thread q: plain u = 1; signal c\n",
      1);
}

TEST(PlainRaces, AreOfAtomicAccessesWithPlainOnes) {
  expect_races("var x\nthread p: x = 1\nthread q: plain x\n", 1);
  expect_races("var x\nthread p: $0 = x\nthread q: plain x\n", 0);
  expect_races("var x\nthread p: $0 = x\nthread q: plain x = 1\n", 1);
  expect_races("array a 2\nvar i\nthread p: $0 = i; plain a[$0] = 1\nthread q: i = 1; plain a[1]\n",
               1);
}

TEST(PlainRaces, AreRunOnlyIfTheyMatter) {
  const Program program = parse_program(
      "var x\nvar u\nmutex m\nthread p: lock m; plain u; unlock m\n"
      "thread q: lock m; unlock m; x += 1; plain u = 1; x += 1; plain u = 2\n");
  ModelRunner runner(program);
  std::size_t asked = 0, shown = 0;
  ExploreOptions options;
  options.order = ExploreOptions::Pick::random;
  options.wants_race = [&](const RacingPair&) { return ++asked, false; };
  options.on_run = [&](const Log& log) {
    shown += log.counts ? 0 : 1;
    return Decision::proceed;
  };
  for (options.seed = 1; options.seed <= 50; ++options.seed) {
    const Result result = explore_merging(runner, options);
    EXPECT_EQ(result.races.size(), 2U);
    EXPECT_TRUE(result.complete);
  }
  EXPECT_GT(asked, 0U);
  EXPECT_EQ(shown, 0U);
  options.wants_race = {};
  for (options.seed = 1; options.seed <= 50; ++options.seed) explore_merging(runner, options);
  EXPECT_GT(shown, 0U);
}

TEST(PlainRaces, AreNotForWhoComparesStatesOtherwise) {
  const Program program = parse_program("var u\nthread p: plain u\n");
  ModelRunner runner(program);
  for (const Algorithm& a : algorithms()) {
    if (a.plain)
      EXPECT_NO_THROW(explore(a, program, runner)) << a.name;
    else
      EXPECT_THROW(explore(a, program, runner), Misuse) << a.name;
  }
}

TEST(PlainAccesses, AreChecked) {
  EXPECT_THROW(parse_program("var x\nthread p: x = 1 acquire\n"), Misuse);
  EXPECT_THROW(parse_program("var x\nthread p: $0 = x release\n"), Misuse);
  EXPECT_THROW(parse_program("thread p: fence relaxed\n"), Misuse);
  EXPECT_THROW(parse_program("var x\nthread p: x += 1 acq_rel\n"), Misuse);
  EXPECT_THROW(parse_program("var x\nthread p: atomic { plain x = 1 }\n"), Misuse);
  EXPECT_THROW(parse_program("heap h\nthread p: plain h = 1\n"), Misuse);
  EXPECT_THROW(parse_program("mutex m\nthread p: plain m\n"), Misuse);
}

}  // namespace
}  // namespace heddle::interp
