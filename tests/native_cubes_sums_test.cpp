// Parts of compiled programs add up to the whole, and are those of their models.
#include <fstream>
#include <iterator>
#include <regex>

#include "interp/random_cubes.hpp"
#include "interp/random_program.hpp"
#include "interp/runner.hpp"
#include "interp/text.hpp"
#include "native_cubes.hpp"

namespace heddle::native {
namespace {

const char* const programs[] = {"memory",
                                "updates",
                                "locks",
                                "try-locks",
                                "readers and writers",
                                "condition",
                                "condition with a limit",
                                "condition that may be missed",
                                "two limits",
                                "limits that end together",
                                "semaphore",
                                "semaphore with limits",
                                "semaphore that is not posted",
                                "limits and a loop",
                                "barrier",
                                "blocks",
                                "blocks that choose",
                                "choices",
                                "assumption",
                                "spinning",
                                "spinning for each other",
                                "spinning for a while",
                                "spinning with a lock",
                                "spinning for a lock",
                                "spinning for ever",
                                "sleeping",
                                "polling",
                                "polling in vain",
                                "child in some runs",
                                "children",
                                "assertion",
                                "exit",
                                "exit while others run",
                                "main returns",
                                "main returns and a thread counts",
                                "counting",
                                "cancellation",
                                "signal"};

// Every two steps of different threads that the program may have, whether they are ordered or not.
void for_pairs(std::size_t threads, std::uint32_t steps, const auto& visit) {
  for (std::size_t s = 0; s < threads; ++s)
    for (std::size_t t = 0; t < threads; ++t)
      for (std::uint32_t i = 0; s != t && i < steps; ++i)
        for (std::uint32_t j = 0; j < steps; ++j)
          visit(StepName{static_cast<ThreadId>(s), i}, StepName{static_cast<ThreadId>(t), j});
}

void expect_halves_add_up(const char* name, const Options& options, const Algorithm& algorithm) {
  const bool exact = algorithm.adds_up == AddsUp::counts;
  PartExplorer explorer(algorithm, options);
  for (bool learning = true; learning;) try {
      const Explored whole = explorer.explore({});
      ASSERT_EQ(NativeCubes::difference(whole, whole, true), "") << name;
      const std::uint32_t steps = whole.counts.runs() > 50 ? 2 : 4;
      for_pairs(4, steps, [&](StepName a, StepName b) {
        const std::string what = NativeCubes::halves_differ(explorer, whole, a, b, exact);
        if (!what.empty()) ADD_FAILURE() << name << ", " << algorithm.name << ": " << what;
      });
      learning = false;
    } catch (const Learned&) {
    }
}

// Every pair of the first steps, with the algorithm that has each trace once.
TEST_F(NativeCubes, HalvesAddUpWhateverTheSteps) {
  for (const char* name : programs)
    expect_halves_add_up(name, options_of(name), *find_algorithm("optimal"));
}

// States of different parts are not the same, though all memory is: what a thread may do depends on
// how many steps others have taken.
TEST_F(NativeCubes, HalvesOfMergingHaveTheSameOutcomes) {
  for (const char* name : programs)
    expect_halves_add_up(name, options_of(name), *find_algorithm("merging"));
}

void expect_parts_add_up(const Options& options, const std::string& algorithm,
                         std::uint64_t seeds) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const auto both = fuzz::explore_in_parts(*find_algorithm(algorithm), options, seed);
    if (!both.whole.complete) return;
    EXPECT_EQ(both.whole.oddity + both.parts.oddity, "") << options.command[1] << both.cubes;
    const bool exact = find_algorithm(algorithm)->adds_up == AddsUp::counts;
    EXPECT_EQ(both.difference(exact), "") << options.command[1] << ", " << algorithm << both.cubes;
  }
}

TEST_F(NativeCubes, PartsAddUpWithEachAlgorithm) {
  for (const char* name : programs)
    for (const char* algorithm : {"optimal", "observers", "source", "none", "merging"}) {
      Options options = options_of(name);
      options.explore.max_executions = 200;
      expect_parts_add_up(options, algorithm, 4);
    }
}

TEST_F(NativeCubes, PartsAddUpHoweverRunsAreMade) {
  for (const char* name : programs) {
    Options options = options_of(name);
    options.savepoints = abi::Savepoints::always;
    options.repeat_every = 1;
    expect_parts_add_up(options, "optimal", 3);
    options.savepoints = abi::Savepoints::never;
    expect_parts_add_up(options, "observers", 2);
    options.timeouts = abi::Timeouts::explore;
    options.kill_at_exit = true;
    options.spurious_wakeups = true;
    options.explore.max_executions = 400;
    expect_parts_add_up(options, "optimal", 2);
    options.isolate = true;
    options.explore.max_executions = 20;
    expect_parts_add_up(options, "optimal", 1);
  }
}

// Random model programs whose threads exist from the beginning, and have the same steps in C, one
// thread later: main is the first. (Additions that no thread sees commute in the model only.
// Threads that have mailboxes wait for each other in C before they begin.)
bool has_same_steps(const std::string& text) {
  static const std::regex others(
      R"(fence|created|join|send|receive|(^|[:;{\n]) *\w[\w\[\]$]* \+= )");
  return !std::regex_search(text, others);
}

Cube compiled(Cube cube) {
  for (Wait& w : cube.waits) {
    ++w.first.thread;
    ++w.second.thread;
  }
  return cube;
}

Counts model_counts(const interp::Program& program, const std::string& algorithm,
                    const Cube& cube) {
  interp::ModelRunner runner(program);
  interp::ModelMachine machine(program);
  runner.machine().restrict_to(cube);
  machine.restrict_to(cube);
  return find_algorithm(algorithm)->explore({runner, machine}, {}).counts;
}

void expect_parts_of_model(const interp::Program& program, const Options& options, Random& random) {
  interp::ModelMachine machine(program);
  const std::vector<Cube> cubes = interp::random_cubes(machine, random, 3);
  for (const char* algorithm : {"optimal", "observers"})
    for (const Cube& cube : cubes) {
      const Counts expected = model_counts(program, algorithm, cube);
      const Counts got = NativeCubes::explore(options, compiled(cube), algorithm).counts;
      EXPECT_EQ(got.executions, expected.executions) << algorithm << " " << to_text(cube);
      EXPECT_EQ(got.blocked, expected.blocked) << algorithm << " " << to_text(cube);
      EXPECT_EQ(got.deadlocks, expected.deadlocks) << algorithm << " " << to_text(cube);
      EXPECT_EQ(got.discarded, expected.discarded) << algorithm << " " << to_text(cube);
    }
}

// Each part by itself, also in what does not count.
TEST_F(NativeCubes, PartsAreThoseOfTheModel) {
  constexpr std::size_t most = 60;
  std::vector<interp::Program> models;
  std::string files;
  Random random(1);
  while (models.size() < most) {
    const interp::Shape& shape = interp::shapes()[random.below(interp::shapes().size())];
    const interp::Program made = shape.make(random);
    const std::string text = print_program(made);
    if (!has_same_steps(text) || model_counts(made, "optimal", {}).executions > 300) continue;
    const std::filesystem::path file = folder / (std::to_string(models.size()) + ".txt");
    std::ofstream(file) << text;
    files += " " + file.string();
    models.push_back(made);
  }
  const std::string root = HEDDLE_SOURCE_DIR, c = (folder / "models.c").string();
  const std::string translates = "python3 " + root + "/tests/model_to_c.py" + files + " > " + c;
  ASSERT_EQ(std::system(translates.c_str()), 0);
  compile(c, folder / "models");
  std::ifstream in(c);
  const std::string source{std::istreambuf_iterator<char>(in), {}};
  std::size_t compared = 0;
  for (std::size_t n = 0; n < models.size(); ++n) {
    if (source.find("case " + std::to_string(n) + ":") == std::string::npos) continue;
    SCOPED_TRACE(print_program(models[n]));
    Options options = options_of("");
    options.command = {(folder / "models").string(), std::to_string(n)};
    expect_parts_of_model(models[n], options, random);
    ++compared;
  }
  EXPECT_GT(compared, most / 3);
}

}  // namespace
}  // namespace heddle::native
