// The numbers of executions that the papers report, row by row of bench/programs/published.tsv:
// each is what we find, or is listed with ours and the reason in published_differences.tsv.
#include "bench/published.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "bench/suite.hpp"
#include "core/algorithm.hpp"
#include "interp/families.hpp"
#include "interp/machine.hpp"
#include "interp/runner.hpp"

namespace heddle::interp {
namespace {

using bench::Difference;
using bench::Papers;
using bench::Published;

constexpr std::string_view none = "-";

const std::string directory = std::string(HEDDLE_SOURCE_DIR) + "/bench/programs";

const Papers& papers() {
  static const Papers all(directory);
  return all;
}
const std::vector<Published>& published() { return papers().rows(); }
const std::vector<Difference>& differences() { return papers().differences(); }

bool is_formula(const Published& row) { return row.algorithm == "formula"; }

std::string text_of(const Published& row) {
  return row.source + ": " + row.benchmark + " " + row.parameter + ", " + row.algorithm + ", " +
         row.executions + " " + row.note;
}

// Rows that take more than about a second, and how long they took with -O2: a test of their own, so
// that it runs beside the others, and none of a sanitized build, where it would take many minutes.
struct Slow {
  std::string_view benchmark, parameter, algorithm;
  double seconds;

  bool is_of(const Published& row) const {
    return benchmark == row.benchmark && parameter == row.parameter && algorithm == row.algorithm;
  }
};

constexpr Slow slow[] = {
    {"PSort", "N=5", "context, no optimisation (CDPOR1)", 2.9},
    {"Reg", "N=6", "context, no optimisation (CDPOR1)", 3.6},
    {"boundedbuffer", "N=9", "optimal + context + observers", 1.9},
    {"boundedbuffer", "N=10", "optimal", 2.9},
    {"boundedbuffer", "N=10", "optimal + observers", 3.3},
    {"boundedbuffer", "N=10", "source + context", 2.8},
    {"boundedbuffer", "N=10", "optimal + context + observers", 5.1},
    {"lastwrite", "N=8", "source + context", 4.7},
    {"lastwrite-dif", "N=8", "source + context", 9.7},
    {"floatingread-dif", "N=7", "source + context", 1.1},
    {"floatingread-2phases", "N=5", "optimal", 1.1},
    {"floatingread-2phases", "N=6", "source + context", 12.6},
    {"floatingread-2phases", "N=6", "optimal + context + observers", 1.9},
    {"abs", "N=6", "optimal", 2.0},
    {"abs", "N=6", "source + context", 5.8},
    {"abs-dif", "N=5", "source + context", 2.7},
    {"abs-dif", "N=6", "optimal", 2.2},
    {"abs-2phases", "N=4", "optimal", 2.3},
    {"abs-2phases", "N=4", "source + context", 1.3},
};

bool is_slow(const Published& row) {
  return std::ranges::any_of(slow, [&](const Slow& s) { return s.is_of(row); });
}

// Tries the thread after the one that went last first, where ModelMachine tries the first thread
// first. The algorithms say "some thread", and context-sensitive counts depend on which.
class TakingTurns final : public Machine {
 public:
  explicit TakingTurns(Program program) : machine_(std::move(program)) {}

  std::size_t thread_count() const override { return machine_.thread_count(); }
  const Footprints& footprints() const override { return machine_.footprints(); }
  void reset() override {
    machine_.reset();
    next_ = 0;
  }
  void enabled(std::vector<Move>& out) const override {
    machine_.enabled(out);
    const auto first = std::ranges::find_if(out, [&](Move m) { return m.thread >= next_; });
    std::rotate(out.begin(), first, out.end());
  }
  Event step(Move move) override {
    next_ = move.thread + std::size_t{1};
    return machine_.step(move);
  }
  std::string why_not(Move move) const override { return machine_.why_not(move); }
  // The published algorithms run from the beginning instead.
  void save() override { throw Bug("TakingTurns saves no states"); }
  void restore() override { throw Bug("TakingTurns saves no states"); }
  void drop() override { throw Bug("TakingTurns saves no states"); }
  bool has_time_outs() const override { return machine_.has_time_outs(); }
  bool stuck() const override { return machine_.stuck(); }
  std::span<const Pending> pending() const override { return machine_.pending(); }
  Ending ending() const override { return machine_.ending(); }
  Outcome outcome() const override { return machine_.outcome(); }
  void describe(std::vector<std::int64_t>& control,
                std::vector<std::int64_t>& memory) const override {
    machine_.describe(control, memory);
  }
  std::uint64_t final_state() const override { return machine_.final_state(); }
  std::uint64_t observed() const override { return machine_.observed(); }
  std::uint64_t observed(ThreadId thread) const override { return machine_.observed(thread); }

 private:
  ModelMachine machine_;
  std::size_t next_ = 0;
};

Counts explore(const Algorithm& algorithm, const Program& program, Machine& machine,
               std::uint64_t at_most = 0) {
  ModelRunner runner(program);
  ExploreOptions options;
  options.max_executions = at_most;
  return algorithm.explore({runner, machine}, options).counts;
}

Program make(std::string_view family, int size) {
  const Family* found = find_family(family);
  if (found == nullptr) throw Misuse("no family " + std::string(family));
  return found->make(size);
}

std::uint64_t executions(std::string_view family, int size, std::string_view algorithm,
                         std::uint64_t at_most = 0) {
  const Program program = make(family, size);
  ModelMachine machine(program);
  return explore(*find_algorithm(algorithm), program, machine, at_most).executions;
}

// What a row is about, as we name it.
struct Experiment {
  Program program;
  const Algorithm* algorithm;
  bool blocked;  // it reports blocked runs, not executions

  std::uint64_t number(const Counts& counts) const {
    return blocked ? counts.blocked : counts.executions;
  }
};

// Null if we have none that the paper calls so.
const bench::Program* program_of(const std::string& benchmark) {
  static const std::vector<bench::Program> suite = bench::read_suite(directory);
  const auto found = std::ranges::find_if(suite, [&](const bench::Program& p) {
    return std::ranges::count(p.published, benchmark) != 0;
  });
  return found == suite.end() ? nullptr : &*found;
}

// Nothing if we have no such program or algorithm, or do not measure it at this size.
std::optional<Experiment> experiment(const Published& row) {
  constexpr std::string_view suffix = ": blocked executions";
  std::string name = row.algorithm;
  const bool blocked = name.ends_with(suffix);
  if (blocked) name.resize(name.size() - suffix.size());
  const bench::Program* program = program_of(row.benchmark);
  const Algorithm* algorithm = bench::algorithm_of_paper(name);
  if (program == nullptr || algorithm == nullptr) return std::nullopt;
  const bool sized = !program->sizes.empty();
  const int size = sized ? std::stoi(row.parameter.substr(2)) : 0;  // behind "N="
  if (sized && std::ranges::count(program->sizes, size) == 0) return std::nullopt;
  return Experiment{make(program->model, size), algorithm, blocked};
}

void check_difference(const Published& row, const Difference& difference) {
  EXPECT_FALSE(difference.reason.empty());
  const auto e = experiment(row);
  if (difference.ours == none) {
    EXPECT_FALSE(e && row.is_number()) << "can be run, so our count must be given";
    return;
  }
  ASSERT_TRUE(e) << "has a count of ours, but no program or algorithm";
  EXPECT_NE(difference.ours, row.executions) << "is no difference";
  ModelMachine machine(e->program);
  const Counts counts = explore(*e->algorithm, e->program, machine);
  EXPECT_EQ(std::to_string(e->number(counts)), difference.ours);
  if (difference.agrees == "with-blocked") {
    EXPECT_EQ(std::to_string(counts.executions + counts.blocked), row.executions);
  } else if (difference.agrees == "turns") {
    TakingTurns turns(e->program);
    EXPECT_EQ(std::to_string(e->number(explore(*e->algorithm, e->program, turns))), row.executions);
  } else {
    EXPECT_EQ(difference.agrees, none);
  }
}

void check(const Published& row) {
  SCOPED_TRACE(text_of(row));
  std::vector<Difference> listed;
  for (const Difference& d : differences())
    if (d.is_of(row)) listed.push_back(d);
  ASSERT_LE(listed.size(), 1U) << "is listed more than once";
  if (!listed.empty()) return check_difference(row, listed.front());
  const auto e = experiment(row);
  ASSERT_TRUE(e && row.is_number()) << "is neither reproduced nor listed";
  ModelMachine machine(e->program);
  EXPECT_EQ(std::to_string(e->number(explore(*e->algorithm, e->program, machine))), row.executions);
}

std::vector<std::string> benchmarks() {
  std::vector<std::string> out;
  for (const Published& row : published())
    if (!is_formula(row) && std::ranges::find(out, row.benchmark) == out.end())
      out.push_back(row.benchmark);
  return out;
}

class PublishedCounts : public testing::TestWithParam<std::string> {};

TEST_P(PublishedCounts, AreReproducedOrListed) {
  for (const Published& row : published())
    if (row.benchmark == GetParam() && !is_formula(row) && !is_slow(row)) check(row);
}

INSTANTIATE_TEST_SUITE_P(Papers, PublishedCounts, testing::ValuesIn(benchmarks()),
                         [](const auto& benchmark) {
                           std::string name = benchmark.param;
                           std::ranges::replace_if(
                               name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

#ifndef HEDDLE_SANITIZED
TEST(PublishedSlow, AreReproducedOrListed) {
  for (const Published& row : published())
    if (is_slow(row)) check(row);
}
#endif

TEST(PublishedTables, AreCompleteAndHaveNothingStale) {
  EXPECT_EQ(published().size(), 365U);
  for (const Difference& d : differences())
    EXPECT_TRUE(
        std::ranges::any_of(published(), [&](const Published& row) { return d.is_of(row); }))
        << "no such row: " << d.benchmark << " " << d.parameter << ", " << d.algorithm;
  for (const Slow& s : slow)
    EXPECT_TRUE(
        std::ranges::any_of(published(), [&](const Published& row) { return s.is_of(row); }))
        << "no such row: " << s.benchmark << " " << s.parameter << ", " << s.algorithm;
}

std::uint64_t factorial(int n) {
  return n < 2 ? 1 : static_cast<std::uint64_t>(n) * factorial(n - 1);
}
std::uint64_t power_of_2(int n) { return std::uint64_t{1} << n; }

// The rows of Aronis et al. 2018 that are formulas, as they stand in the table, and as code.
struct Formula {
  std::string_view benchmark, note;
  std::vector<std::string_view> families;
  std::uint64_t (*optimal)(int n);  // null: more than with observers
  std::uint64_t (*observers)(int n);
};

const std::vector<Formula>& formulas() {
  static const std::vector<Formula> rows = {
      {"lastwrite(n)",
       "optimal n!, observers n",
       {"lastwrite", "lastwrite-dif"},
       factorial,
       [](int n) { return static_cast<std::uint64_t>(n); }},
      {"floating read(n)",
       "optimal (n+1)!, observers n*2^(n-1)+1",
       {"floatingread", "floatingread-dif", "writers"},
       [](int n) { return factorial(n + 1); },
       [](int n) { return static_cast<std::uint64_t>(n) * power_of_2(n - 1) + 1; }},
      {"not selective(n), messages",
       "optimal n!, observers n!",
       {"not-selective"},
       factorial,
       factorial},
      {"selective(n), messages",
       "optimal n!, observers 1",
       {"selective"},
       factorial,
       [](int) { return std::uint64_t{1}; }},
      {"lock(n), messages", "observers n!, optimal more", {"lock-server"}, nullptr, factorial},
  };
  return rows;
}

void check(const Formula& formula, std::string_view family, int n) {
  SCOPED_TRACE(std::string(family) + "(" + std::to_string(n) + ")");
  const std::uint64_t with_observers = formula.observers(n);
  EXPECT_EQ(executions(family, n, "observers"), with_observers);
  if (formula.optimal != nullptr)
    EXPECT_EQ(executions(family, n, "optimal"), formula.optimal(n));
  else  // it stops there, for there can be far more
    EXPECT_EQ(executions(family, n, "optimal", with_observers + 1), with_observers + 1);
}

TEST(PublishedFormulas, HoldForSmallSizes) {
  for (const Published& row : published()) {
    if (!is_formula(row)) continue;
    const auto formula = std::ranges::find(formulas(), row.benchmark, &Formula::benchmark);
    ASSERT_TRUE(formula != formulas().end() && formula->note == row.note) << text_of(row);
    for (const std::string_view family : formula->families)
      for (int n = 2; n <= 6; ++n) check(*formula, family, n);
  }
}

TEST(PublishedFormulas, LastzeroHoldsUpTo11) {
  for (int n = 2; n <= 11; ++n)
    EXPECT_EQ(executions("lastzero", n, "optimal"),
              static_cast<std::uint64_t>(n + 3) * power_of_2(n - 2))
        << n;
}

struct Known {
  std::string_view family;
  int size;
  std::string_view algorithm;
  std::uint64_t executions;
};

// Sizes beyond brute force: of the papers' texts, or by counting the pairs of threads that meet.
TEST(PublishedFormulas, LargeSizesHold) {
  constexpr Known rows[] = {
      {"readers", 15, "optimal", 32768},         {"floatingread-dif", 7, "optimal", 40320},
      {"floatingread-dif", 7, "observers", 449}, {"lastwrite-dif", 16, "observers", 16},
      {"filesystem", 14, "optimal", 2},          {"filesystem", 16, "optimal", 8},
      {"filesystem", 24, "optimal", 2048},       {"indexer", 12, "optimal", 8},
      {"indexer", 15, "optimal", 4096},
  };
  for (const Known& row : rows)
    EXPECT_EQ(executions(row.family, row.size, row.algorithm), row.executions)
        << row.family << "(" << row.size << "), " << row.algorithm;
}

}  // namespace
}  // namespace heddle::interp
