// The built-in programs are what they claim to be: brute force over their interleavings finds as
// many traces as the papers have for them.
#include "interp/families.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "core/order.hpp"
#include "interp/builder.hpp"
#include "interp/machine.hpp"

namespace heddle::interp {
namespace {

struct Found {
  std::size_t interleavings = 0;
  std::size_t deadlocks = 0;
  std::set<std::uint64_t> traces;    // Mazurkiewicz traces
  std::set<std::uint64_t> observed;  // traces with observers
  std::set<std::uint64_t> outcomes;  // what threads saw
  std::set<std::uint64_t> finals;
  bool finding = false;
};

class BruteForce {
 public:
  explicit BruteForce(Program program) : machine_(std::move(program)) {}
  // Of these threads alone, to their ends: the others take no step.
  BruteForce(Program program, std::vector<ThreadId> only)
      : machine_(std::move(program)), only_(std::move(only)) {}

  Found run() {
    explore();
    return std::move(found_);
  }

 private:
  void explore() {
    std::vector<Move> moves;
    machine_.enabled(moves);
    if (!only_.empty())
      std::erase_if(moves, [&](Move m) { return std::ranges::count(only_, m.thread) == 0; });
    if (moves.empty()) return note();
    machine_.save();
    for (const Move move : moves) {
      events_.push_back(machine_.step(move));
      explore();
      events_.pop_back();
      machine_.restore();
    }
    machine_.drop();
  }

  void note() {
    const auto canonical = [&](Observers observers) {
      return Order(machine_.footprints(), events_, observers).canonical();
    };
    ++found_.interleavings;
    found_.deadlocks += machine_.ending() == Ending::deadlock ? 1 : 0;
    found_.traces.insert(canonical(Observers::no));
    found_.observed.insert(canonical(Observers::yes));
    found_.outcomes.insert(machine_.observed());
    found_.finals.insert(machine_.final_state());
    found_.finding = found_.finding || machine_.finding();
  }

  ModelMachine machine_;
  std::vector<ThreadId> only_;
  std::vector<Event> events_;
  Found found_;
};

Program make(std::string_view name, int size = 0) {
  const Family* family = find_family(name);
  if (family == nullptr) throw Misuse("no family " + std::string(name));
  return family->make(size);
}

struct Expected {
  std::string_view family;
  int size;
  std::size_t optimal;
  std::size_t observers;
};

std::ostream& operator<<(std::ostream& out, const Expected& e) {
  return out << e.family << "(" << e.size << ")";
}

class FamilyCounts : public testing::TestWithParam<Expected> {};

TEST_P(FamilyCounts, AreThePublishedOnes) {
  const Expected& expected = GetParam();
  const Found found = BruteForce(make(expected.family, expected.size)).run();
  EXPECT_EQ(found.traces.size(), expected.optimal);
  EXPECT_EQ(found.observed.size(), expected.observers);
  EXPECT_EQ(found.finding, false);
}

// The sizes are the largest that brute force does at once; the formulas are the papers'.
INSTANTIATE_TEST_SUITE_P(
    Papers, FamilyCounts,
    testing::Values(
        // Albert et al. 2023, figure 1.
        Expected{"running-example", 0, 12, 11},
        // n! and n; to the third power where there are three phases.
        Expected{"lastwrite", 4, 24, 4}, Expected{"lastwrite-dif", 4, 24, 4},
        Expected{"lastwrite-2phases", 1, 1, 1}, Expected{"lastwrite-2phases", 2, 8, 8},
        // (n + 1)! and n * 2^(n - 1) + 1; squared where there are two phases.
        Expected{"floatingread", 4, 120, 33}, Expected{"floatingread", 6, 5040, 193},
        Expected{"floatingread-dif", 4, 120, 33}, Expected{"floatingread-dif", 5, 720, 81},
        Expected{"floatingread-2phases", 1, 4, 4}, Expected{"floatingread-2phases", 2, 36, 25},
        Expected{"floatingread-2phases", 3, 576, 169},
        // (n!)^2 and n^2.
        Expected{"abs", 3, 36, 9}, Expected{"abs-dif", 3, 36, 9},
        Expected{"abs-2phases", 2, 16, 16},
        // C(2n, n).
        Expected{"producer-consumer", 3, 20, 20}, Expected{"producer-consumer", 7, 3432, 3432},
        Expected{"boundedbuffer", 3, 20, 20}, Expected{"boundedbuffer", 7, 3432, 3432},
        // n!.
        Expected{"pi", 5, 120, 120}, Expected{"pi", 7, 5040, 5040},
        // 2^(number of tasks that have parts).
        Expected{"fib", 2, 2, 2}, Expected{"fib", 3, 4, 4},
        // 2^m, where m is n rounded down to an even number.
        Expected{"arraywrite", 2, 4, 4}, Expected{"arraywrite", 3, 4, 4},
        // (n + 3) * 2^(n - 2).
        Expected{"lastzero", 1, 2, 2}, Expected{"lastzero", 2, 5, 5},
        Expected{"lastzero", 3, 12, 12},
        // 2^n, and the counts of floatingread.
        Expected{"readers", 5, 32, 32}, Expected{"writers", 4, 120, 33},
        // No two of the first threads meet.
        Expected{"indexer", 2, 1, 1}, Expected{"filesystem", 2, 1, 1},
        // n! and 1; n! and n!; more than n! and n!.
        Expected{"selective", 4, 24, 1}, Expected{"not-selective", 4, 24, 24},
        Expected{"lock-server", 2, 4, 2}, Expected{"lock-server", 3, 30, 6}),
    [](const auto& row) {
      std::string name = std::string(row.param.family) + "_" + std::to_string(row.param.size);
      std::erase(name, '-');
      return name;
    });

TEST(Families, RunningExampleHas30Interleavings) {
  EXPECT_EQ(BruteForce(make("running-example")).run().interleavings, 30U);
}

TEST(Families, TwoLocksDeadlockInOneTrace) {
  const Found found = BruteForce(make("two-lock-deadlock")).run();
  EXPECT_EQ(found.traces.size(), 3U);
  EXPECT_EQ(found.deadlocks, 2U);  // interleavings of that trace
}

// 2^n: the attempts that found nothing (Albert et al. 2017, section 4).
TEST(Families, ConsumerSeesWhichAttemptsFoundNothing) {
  for (const char* family : {"producer-consumer", "boundedbuffer"})
    for (int n : {1, 3, 5})
      EXPECT_EQ(BruteForce(make(family, n)).run().outcomes.size(), std::size_t{1} << n) << family;
}

// What context sensitivity lives on, and what the -dif variants deny it.
TEST(Families, EqualValuesLeaveOneOutcome) {
  const auto outcomes = [](std::string_view family, int n) {
    return BruteForce(make(family, n)).run().outcomes.size();
  };
  for (const char* family : {"lastwrite", "floatingread", "abs"})
    EXPECT_EQ(outcomes(family, 2), 1U);
  EXPECT_EQ(outcomes("lastwrite-dif", 3), 3U);
  EXPECT_EQ(outcomes("floatingread-dif", 3), 4U);
  EXPECT_EQ(outcomes("abs-dif", 2), 4U);
  EXPECT_EQ(outcomes("arraywrite", 2), 1U);
}

// The 12th thread is the first to find slots taken, by three messages of the first; each pair of
// threads 11 apart makes 2^3 traces, so 15 threads have 8^4.
TEST(Families, IndexerThreads11ApartCollide) {
  const auto traces = [](std::vector<ThreadId> threads) {
    return BruteForce(make("indexer", 15), std::move(threads)).run().traces.size();
  };
  EXPECT_EQ(traces({0, 11}), 8U);
  EXPECT_EQ(traces({3, 14}), 8U);
  EXPECT_EQ(traces({0, 10}), 1U);
  EXPECT_EQ(traces({1, 11}), 1U);
}

TEST(Families, FilesystemThreads13ApartCollide) {
  const auto traces = [](std::vector<ThreadId> threads) {
    return BruteForce(make("filesystem", 26), std::move(threads)).run().traces.size();
  };
  EXPECT_EQ(traces({0, 13}), 2U);
  EXPECT_EQ(traces({0, 12}), 1U);
}

// The smallest programs known to go wrong, counted by another implementation. That all of these
// final states are reached is what an algorithm has to show on them.
TEST(Families, CounterexamplesHaveTheirFinalStates) {
  struct Row {
    std::string_view family;
    std::size_t traces, observed, finals;
  };
  for (const Row& row :
       {Row{"counterexample-2017", 9, 7, 4}, Row{"counterexample-2023-context", 9, 9, 6},
        Row{"counterexample-2023-observers", 4, 4, 3}}) {
    const Found found = BruteForce(make(row.family)).run();
    EXPECT_EQ(found.traces.size(), row.traces) << row.family;
    EXPECT_EQ(found.observed.size(), row.observed) << row.family;
    EXPECT_EQ(found.finals.size(), row.finals) << row.family;
  }
}

TEST(Families, AreValidAtAllSizes) {
  constexpr std::size_t most_threads = 4096;  // that the site of an event tells apart
  for (const Family& f : families())
    for (int size : {f.min_size, f.default_size, f.max_size}) {
      SCOPED_TRACE(std::string(f.name) + " of size " + std::to_string(size));
      ASSERT_LE(f.min_size, size);
      ASSERT_LE(size, f.max_size);
      const Program program = f.make(size);
      EXPECT_NO_THROW(validate(program));
      EXPECT_LE(program.threads.size(), most_threads);
      EXPECT_EQ(program.name,
                std::string(f.name) + (f.sized ? "(" + std::to_string(size) + ")" : std::string()));
    }
}

TEST(Families, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const Family& f : families()) {
    EXPECT_TRUE(names.insert(f.name).second) << f.name;
    EXPECT_EQ(find_family(f.name), &f);
    EXPECT_FALSE(f.summary.empty()) << f.name;
  }
  EXPECT_EQ(find_family("lastwrite(4)"), nullptr);
  EXPECT_EQ(find_family(""), nullptr);
}

// At the ends of what they allow, programs still stop.
TEST(Families, LargestTablesAreJustFilled) {
  for (const char* family : {"indexer", "filesystem"}) {
    ModelMachine machine(make(family, find_family(family)->max_size));
    std::size_t steps = 0;
    for (std::size_t t; (t = machine.first_enabled()) < machine.thread_count() && steps < 10'000;
         ++steps)
      machine.step({static_cast<ThreadId>(t)});
    EXPECT_LT(steps, 10'000U) << family;
    EXPECT_EQ(machine.ending(), Ending::complete) << family;
    EXPECT_FALSE(machine.finding()) << family;
  }
}

TEST(Builder, NumbersThreadsAndMailboxesBehindAllObjects) {
  Builder b("p");
  ThreadBuilder first = b.thread("first"), second = b.to_create("second");
  first.create(second).join(second).send(second, 3);
  second.receive(second.reg(), 8).send(second.reg(), 0);
  b.array("late", 5);
  const Program p = b.build();
  EXPECT_TRUE(p.threads[1].created);
  EXPECT_EQ(p.threads[0].code[0].object, 6U);
  EXPECT_EQ(p.threads[0].code[1].object, 6U);
  EXPECT_EQ(p.threads[0].code[2].object, 8U);
  EXPECT_EQ(p.threads[1].code[0].object, 8U);
  EXPECT_EQ(p.threads[1].code[1].object, 7U);  // the first mailbox, plus the register
  EXPECT_EQ(p.threads[1].code[1].index, 1);
}

TEST(Builder, LabelsMayComeBeforeOrAfterTheirJumps) {
  Builder b("p");
  ThreadBuilder t = b.thread("t");
  const Reg r = t.reg();
  t.label("again").plus(r, 1).jump_if(r, Compare::gt, 9, "end").fence().jump("again").label("end");
  const Program p = b.build();
  EXPECT_EQ(p.threads[0].code[1].target, 4);
  EXPECT_EQ(p.threads[0].code[3].target, 0);
  ModelMachine machine(p);
  int steps = 0;
  for (; machine.is_enabled(ThreadId{0}); ++steps) machine.step({0});
  EXPECT_EQ(steps, 9);
}

TEST(Builder, RefusesWhatHasNoMeaning) {
  Builder missing("p");
  missing.thread("t").jump("nowhere");
  EXPECT_THROW(missing.build(), Bug);
  Builder twice("p");
  EXPECT_THROW(twice.thread("t").label("here").label("here"), Bug);
  Builder crowded("p");
  ThreadBuilder t = crowded.thread("t");
  for (std::size_t r = 0; r < register_count; ++r) t.reg();
  EXPECT_THROW(t.reg(), Bug);
  Builder wrong("p");
  wrong.thread("t").lock(wrong.memory("x"));
  EXPECT_THROW(wrong.build(), Misuse);
}

}  // namespace
}  // namespace heddle::interp
