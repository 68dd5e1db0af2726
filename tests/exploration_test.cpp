// What the algorithms explore of small programs, counted by hand.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "core/algorithm.hpp"
#include "core/order.hpp"
#include "interp/families.hpp"
#include "interp/oracle.hpp"
#include "interp/runner.hpp"
#include "interp/text.hpp"

namespace heddle::interp {
namespace {

using Values = std::vector<std::int64_t>;

// The register of a thread, to look at when a run is over.
struct Look {
  std::string thread;
  std::int8_t reg = 0;
};

// Runs a schedule again in a program in which each thread, at its end, writes what it knows where
// it can be seen.
class Seer {
 public:
  Seer(const Program& program, const std::vector<Look>& looks)
      : runner_(extended(program, looks)), looks_(looks.size()) {}

  Values see(std::span<const Event> events) {
    Schedule schedule;
    for (const Event& e : events) schedule.push_back(e.move);
    runner_.submit({schedule});
    EXPECT_NE(runner_.next().ending, Ending::diverged);
    std::vector<std::int64_t> control, memory;
    runner_.machine().describe(control, memory);
    return {memory.end() - static_cast<std::ptrdiff_t>(looks_), memory.end()};
  }

 private:
  // The objects are behind all others: these programs name no threads.
  static Program extended(Program program, const std::vector<Look>& looks) {
    for (const Look& look : looks) {
      const auto object = static_cast<Location>(program.objects.size());
      program.objects.push_back({.name = "seen", .initial = -1});
      for (Thread& t : program.threads)
        if (t.name == look.thread)
          t.code.push_back({.op = Op::write, .object = object, .value = {0, look.reg}});
    }
    return program;
  }

  ModelRunner runner_;
  std::size_t looks_;
};

struct Explored {
  Result result;
  std::set<Values> values;
};

Explored explore(std::string_view algorithm, const Program& program, const std::vector<Look>& looks,
                 ExploreOptions options = {}) {
  ModelRunner runner(program);
  ModelMachine machine(program);
  Seer seer(program, looks);
  Explored out;
  options.on_run = [&](const Log& log) {
    out.values.insert(seer.see(log.events));
    return Decision::proceed;
  };
  out.result = find_algorithm(algorithm)->explore({runner, machine}, options);
  return out;
}

struct Expected {
  const char* name;
  const char* program;
  std::vector<Look> looks;
  std::set<Values> values;
  std::uint64_t interleavings, traces, observers;
  std::uint64_t deadlocks = 0, blocked = 0;  // of traces
};

std::vector<Expected> programs() {
  return {
      {"store buffering",
       "var x\nvar y\nthread p: x = 1; $0 = y\nthread q: y = 1; $0 = x\n",
       {{"p"}, {"q"}},
       {{0, 1}, {1, 0}, {1, 1}},
       6,
       3,
       3},
      {"message passing",
       "var x\nvar y\nthread p: x = 1; y = 1\nthread q: $0 = y; $1 = x\n",
       {{"q", 0}, {"q", 1}},
       {{0, 0}, {0, 1}, {1, 1}},
       6,
       3,
       3},
      // One after the other, or both read first; then no event sees the order of the writes.
      {"lost update",
       "var x\nthread p: $0 = x; x = $0+1\nthread q: $0 = x; x = $0+1\n",
       {{"p"}, {"q"}},
       {{0, 0}, {0, 1}, {1, 0}},
       6,
       4,
       3},
      {"update under a lock",
       "var x\nmutex m\nthread p: lock m; $0 = x; x = $0+1; unlock m\n"
       "thread q: lock m; $0 = x; x = $0+1; unlock m\n",
       {{"p"}, {"q"}},
       {{0, 1}, {1, 0}},
       2,
       2,
       2},
      {"unread writes",
       "var x\nthread p: x = 1\nthread q: x = 2\nthread r: x = 3\n",
       {},
       {{}},
       6,
       6,
       1},
      // Each fork goes first to one of its two: not all to the right, and all to the left is the
      // deadlock.
      {"two philosophers",
       "mutexes f 2\nthread p: lock f[0]; lock f[1]; unlock f[1]; unlock f[0]\n"
       "thread q: lock f[1]; lock f[0]; unlock f[0]; unlock f[1]\n",
       {},
       {{}},
       6,
       3,
       3,
       1},
      {"three philosophers",
       "mutexes f 3\nthread p: lock f[0]; lock f[1]; unlock f[1]; unlock f[0]\n"
       "thread q: lock f[1]; lock f[2]; unlock f[2]; unlock f[1]\n"
       "thread r: lock f[2]; lock f[0]; unlock f[0]; unlock f[2]\n",
       {},
       {{}},
       0,
       7,
       7,
       1},
      {"lost wake-up",
       "mutex m\ncond c\nthread p: lock m; wait c m; unlock m; $0 := 1\nthread q: signal c\n",
       {{"p"}},
       {{-1}, {1}},
       3,
       2,
       2,
       1},
      {"wake-up under a lock",
       "mutex m\ncond c\nvar f\n"
       "thread p: lock m; $0 = f; if $0 == 1 goto E; wait c m; E: unlock m\n"
       "thread q: lock m; f = 1; signal c; unlock m\n",
       {{"p"}},
       {{0}, {1}},
       0,
       2,
       2},
      // Before the broadcast, or after it, or after the first of two of them, whenever it wakes.
      {"two broadcasts under a lock",
       "mutex m\ncond c\nvar f\n"
       "thread p: lock m; $0 = f; if $0 == 2 goto E; wait c m; E: unlock m\n"
       "thread q: lock m; f = 1; broadcast c; unlock m\n"
       "thread r: lock m; f = 2; broadcast c; unlock m\n",
       {{"p"}},
       {{-1}, {0}, {1}, {2}},
       21,
       8,
       8,
       1},
      // Which broadcasts come before the wait, and which of the others is the first.
      {"three broadcasts",
       "mutex m\ncond c\nthread p: lock m; wait c m; unlock m\nthread q: broadcast c\n"
       "thread r: broadcast c\nthread s: broadcast c\n",
       {},
       {{}},
       150,
       13,
       13,
       1},
      // Compiled: programs/conditions/cond_orders_three.c and cond_orders_four.c.
      {"a signal and two broadcasts",
       "mutex m\ncond c\nvar done\n"
       "thread p: lock m; L: $0 = done; if $0 == 1 goto E; wait c m; goto L; E: unlock m\n"
       "thread q: lock m; done = 1; unlock m; signal c\nthread r: broadcast c; broadcast c\n",
       {},
       {{}},
       719,
       11,
       11},
      {"a broadcast and a signal for two that look",
       "mutex m\ncond c\nvar done\n"
       "thread p: lock m; L: $0 = done; if $0 == 1 goto E; wait c m; goto L; E: unlock m\n"
       "thread q: lock m; L: $0 = done; if $0 == 1 goto E; wait c m; goto L; E: unlock m\n"
       "thread r: lock m; done = 1; unlock m; broadcast c\nthread s: signal c\n",
       {},
       {{}},
       2418,
       54,
       54},
      {"a signal and a broadcast for two",
       "mutex m\ncond c\nthread p: lock m; wait c m; unlock m\n"
       "thread q: lock m; wait c m; unlock m\nthread r: signal c\nthread s: broadcast c\n",
       {},
       {{}},
       528,
       50,
       50,
       22},
      {"two signals and two broadcasts for two",
       "mutex m\ncond c\nthread p: lock m; wait c m; unlock m\n"
       "thread q: lock m; wait c m; unlock m\n"
       "thread r: lock m; signal c; unlock m; lock m; signal c; unlock m\n"
       "thread s: broadcast c; broadcast c\n",
       {},
       {{}},
       0,
       594,
       594,
       72},
      // One after the other, or the second fails once; $2 counts attempts.
      {"increment by compare-and-swap",
       "var x\nthread p: L: $0 = x; $2 += 1; $1 = cas x $0 $0+1; if $1 == 0 goto L\n"
       "thread q: L: $0 = x; $2 += 1; $1 = cas x $0 $0+1; if $1 == 0 goto L\n",
       {{"p", 0}, {"q", 0}, {"p", 2}, {"q", 2}},
       {{0, 1, 1, 1}, {1, 0, 1, 1}, {0, 1, 1, 2}, {1, 0, 2, 1}},
       0,
       4,
       4},
      {"choice",
       "var x\nthread p: $0 = choose 3; x = $0\nthread q: $0 = x\n",
       {{"p"}, {"q"}},
       {{0, 0}, {1, 0}, {1, 1}, {2, 0}, {2, 2}},
       9,
       6,
       6},
      {"assumption",
       "var x\nvar y\nthread p: x = 1\nthread q: assume x == 1; $0 = y\n",
       {{"q"}},
       {{-1}, {0}},
       1,
       1,
       1,
       0,
       1},
  };
}

TEST(Exploration, HasExactlyTheTracesOfSmallPrograms) {
  for (const Expected& e : programs()) {
    const Program program = parse_program(e.program);
    const std::map<std::string_view, std::uint64_t> executions = {{"none", e.interleavings},
                                                                  {"source", e.traces},
                                                                  {"optimal", e.traces},
                                                                  {"observers", e.observers}};
    if (e.interleavings != 0) {  // e.traces is what brute force finds
      ModelMachine machine(program);
      const auto all = all_traces(machine, 100000);
      ASSERT_TRUE(all.has_value()) << e.name;
      EXPECT_EQ(all->plain.size() - all->assumed.size(), e.traces) << e.name;
    }
    for (const Algorithm& algorithm : algorithms()) {
      if (!algorithm.sound) continue;
      SCOPED_TRACE(std::string(e.name) + ", " + std::string(algorithm.name));
      const Explored found = explore(algorithm.name, program, e.looks);
      EXPECT_EQ(found.values, e.values);
      EXPECT_TRUE(found.result.complete);
      const Counts& counts = found.result.counts;
      EXPECT_EQ(counts.deadlocks != 0, e.deadlocks != 0);
      const auto own = executions.find(algorithm.name);
      if (own == executions.end() || own->second == 0) continue;
      EXPECT_EQ(counts.executions, own->second);
      if (!algorithm.any_order || algorithm.by_state) continue;
      EXPECT_EQ(counts.deadlocks, e.deadlocks);
      EXPECT_EQ(counts.blocked, e.blocked);
    }
  }
}

// --- any order

// What an exploration has seen, each trace once or more.
struct Seen {
  Result result;
  std::set<std::uint64_t> outcomes, final_states;
  std::multiset<std::uint64_t> traces;
};

Seen look_at(const Algorithm& algorithm, const Program& program, ExploreOptions options = {}) {
  ModelRunner runner(program);
  ModelMachine machine(program);
  Seen seen;
  const Observers observers =
      algorithm.covers == Covers::observations ? Observers::yes : Observers::no;
  options.on_run = [&](const Log& log) {
    seen.outcomes.insert(log.observed);
    seen.final_states.insert(log.final_state);
    if (algorithm.any_order)
      seen.traces.insert(Order(runner.footprints(), log.events, observers).canonical());
    return Decision::proceed;
  };
  seen.result = algorithm.explore({runner, machine}, options);
  return seen;
}

TEST(Exploration, HasTheSameTracesInAnyOrder) {
  for (const char* text :
       {"mutex m\nvar x\nvar y\nthread p: lock m; x = 1; unlock m; y = 2\n"
        "thread q: lock m; $0 = x; x = 2; unlock m; $1 = y\n"
        "thread r: atomic { $0 = (x == 2); if $0 == 0 goto L; y = 1; L: }; x = 3\n",
        "thread p: send r 0; send r 1\nthread q: send r 1; send r 0\n"
        "thread r: $0 = receive *; $1 = try_receive 0; $2 = receive 0,1\n",
        "var x\nthread p: $0 = choose 2; x = $0; $1 = x\nthread q: $0 = choose 2; $1 = x\n"
        "thread r: x = 5\n"}) {
    const Program program = parse_program(text);
    for (const char* name : {"optimal", "observers"}) {
      const Algorithm& algorithm = *find_algorithm(name);
      const Seen expected = look_at(algorithm, program);
      EXPECT_GT(expected.traces.size(), 8U);
      for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        SCOPED_TRACE(std::string(name) + ", seed " + std::to_string(seed));
        ExploreOptions options;
        options.order = ExploreOptions::Pick::random;
        options.seed = seed;
        const Seen seen = look_at(algorithm, program, options);
        ASSERT_TRUE(seen.result.complete);
        ASSERT_EQ(seen.result.counts.executions, expected.result.counts.executions);
        ASSERT_EQ(seen.traces, expected.traces);
        ASSERT_EQ(seen.outcomes, expected.outcomes);
      }
    }
  }
}

TEST(Exploration, RandomOrdersAreDifferentOrdersOfTheSame) {
  const Program program = find_family("readers")->make(5);
  const auto first_run = [&](std::uint64_t seed) {
    std::string out;
    ExploreOptions options;
    options.order = ExploreOptions::Pick::random;
    options.seed = seed;
    options.max_executions = 1;
    options.on_run = [&](const Log& log) {
      for (const Event& e : log.events) out += std::to_string(e.move.thread);
      return Decision::proceed;
    };
    ModelRunner runner(program);
    find_algorithm("optimal")->explore({runner, runner.machine()}, options);
    return out;
  };
  std::set<std::string> different;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    different.insert(first_run(seed));
    EXPECT_EQ(first_run(seed), first_run(seed));
  }
  EXPECT_GT(different.size(), 10U);
}

TEST(Exploration, StopsAtALimitAndSaysSo) {
  const Program program = find_family("writers")->make(3);  // 24 traces, 13 with observers
  for (const Algorithm& algorithm : algorithms()) {
    SCOPED_TRACE(algorithm.name);
    const Seen all = look_at(algorithm, program);
    EXPECT_TRUE(all.result.complete);
    const std::uint64_t executions = all.result.counts.executions;
    ExploreOptions options;
    options.max_executions = executions - 1;
    const Seen limited = look_at(algorithm, program, options);
    EXPECT_FALSE(limited.result.complete);
    EXPECT_EQ(limited.result.counts.executions, executions - 1);
    options.max_executions = executions + 1;
    EXPECT_TRUE(look_at(algorithm, program, options).result.complete);
    EXPECT_EQ(look_at(algorithm, program, options).result.counts.executions, executions);
  }
}

// --- what the published algorithms lose

std::size_t lost(const Algorithm& algorithm, const Program& program) {
  ModelMachine machine(program);
  const Outcomes all = *all_outcomes(machine, 100'000);
  const Seen seen = look_at(algorithm, program);
  std::size_t missing = 0;
  if (algorithm.covers == Covers::observations) {
    for (const std::uint64_t x : all.observed) missing += seen.outcomes.contains(x) ? 0 : 1;
  } else {
    for (const std::uint64_t x : all.final_states) missing += seen.final_states.contains(x) ? 0 : 1;
  }
  return missing;
}

TEST(Exploration, CounterexamplesAreLostByTheirAlgorithmAndNoSoundOne) {
  const std::map<std::string_view, std::string_view> losing = {
      {"counterexample-2017", "published-context"},
      {"counterexample-2023-context", "published-optimal-context"},
      {"counterexample-2023-observers", "published-optimal-context-observers"}};
  for (const auto& [family, algorithm] : losing) {
    SCOPED_TRACE(family);
    const Program program = find_family(family)->make(0);
    EXPECT_GT(lost(*find_algorithm(algorithm), program), 0U);
    for (const Algorithm& sound : algorithms())
      if (sound.sound) {
        EXPECT_EQ(lost(sound, program), 0U) << sound.name;
      }
  }
}

// A run that is replayed and judged from the log alone: what each exploration hands out.
TEST(Exploration, ReportsRunsAsTheyWere) {
  const Program program = parse_program(
      "mutex m\nmutex n\nvar x\nthread p: lock m; x = 1; lock n\nthread q: lock n; x = 2; lock "
      "m\n");
  for (const Algorithm& algorithm : algorithms()) {
    SCOPED_TRACE(algorithm.name);
    ModelRunner runner(program), again(program);
    ModelMachine machine(program);
    ExploreOptions options;
    options.on_run = [&](const Log& log) {
      Schedule schedule;
      for (const Event& e : log.events) schedule.push_back(e.move);
      const Ending ending = log.ending;
      const auto final_state = log.final_state, observed = log.observed;
      const std::size_t pending = log.pending.size();
      again.submit({schedule});
      EXPECT_EQ(again.next().ending, ending);
      EXPECT_EQ(again.next().events.size(), schedule.size());
      EXPECT_EQ(again.next().final_state, final_state);
      EXPECT_EQ(again.next().observed, observed);
      EXPECT_EQ(again.next().pending.size(), pending);
      return Decision::proceed;
    };
    const Result result = algorithm.explore({runner, machine}, options);
    EXPECT_GT(result.counts.deadlocks, 0U);
  }
}

}  // namespace
}  // namespace heddle::interp
