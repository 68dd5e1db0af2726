// What an exploration yields, and its options.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "core/tree.hpp"
#include "model/runner.hpp"

namespace heddle {

// Counts add up: over parts of a tree, over workers, over programs.
struct Counts {
  std::uint64_t executions = 0;  // runs to the end: of every thread, or into a deadlock
  std::uint64_t blocked = 0;     // runs given up: a failed assumption, or all that is left asleep
  std::uint64_t merged = 0;      // runs that ended in a state already explored
  std::uint64_t events = 0;      // steps executed
  std::uint64_t deadlocks = 0;
  std::uint64_t findings = 0;
  std::uint64_t discarded = 0;  // runs of cubes that count elsewhere, or nowhere
  // Of `merging`: states that were reached, and moves between them. Those that were forgotten and
  // then reached again count again.
  std::uint64_t states = 0;
  std::uint64_t edges = 0;

  Counts& operator+=(const Counts& other) {
    executions += other.executions;
    blocked += other.blocked;
    merged += other.merged;
    events += other.events;
    deadlocks += other.deadlocks;
    findings += other.findings;
    discarded += other.discarded;
    states += other.states;
    edges += other.edges;
    return *this;
  }
  friend bool operator==(const Counts&, const Counts&) = default;

  // That count, however they ended.
  std::uint64_t runs() const { return executions + blocked + merged; }

  // Its events are counted as they are executed.
  void count(const Log& log) {
    ++(log.ending == Ending::assumed ? blocked : executions);
    if (log.ending == Ending::deadlock) ++deadlocks;
    if (log.failed()) ++findings;
  }
};

// Thrown if a run diverges from its schedule: the program does not do again what it did before. A
// program that is deterministic never brings this about.
class Diverged : public Bug {
 public:
  Diverged(Schedule schedule_that, std::size_t step_at, const std::string& why)
      : Bug("a planned schedule does not fit the program: step " + std::to_string(step_at + 1) +
            ": " + why + " (" + to_text(schedule_that) + ")"),
        schedule(std::move(schedule_that)),
        step(step_at) {}

  Schedule schedule;
  std::size_t step;
};

struct Result {
  Counts counts;
  bool complete = true;  // false: it was stopped first
  // Something was learned about the program: what was explored and planned is void.
  bool start_over = false;
  // For an any-order algorithm that was stopped: what to continue with.
  SavedFrontier left = {};
  // For `merging`: what races, by the graph; sorted.
  std::vector<RacingPair> races = {};
};

// What to do after a run.
enum class Decision : std::uint8_t { proceed, stop, start_over };

// How far an exploration is.
struct Ongoing {
  const Tree* tree = nullptr;  // of the algorithms that have one
  // Of `merging`: what it has counted so far, merged runs, states and edges included, and how many
  // of the states have moves that are still to be run.
  const Counts* counts = nullptr;
  std::uint64_t open = 0;
};

struct ExploreOptions {
  enum class Pick : std::uint8_t { leftmost, random } order = Pick::leftmost;
  std::uint64_t seed = 1;
  std::uint64_t max_executions = 0;  // blocked ones included; 0: no limit
  // For `merging`: how many states to remember, and in how much memory, if that can be helped;
  // 0: all. There is a limit where either is given.
  std::size_t most_states = 0;
  std::size_t most_memory_kb = 0;
  // Called at the end of each run that counts as an execution or as blocked by an assumption, and
  // of each that does not count (Log::counts) but has a finding; decides what is next. `stop` keeps
  // what is left to do: it can be resumed.
  std::function<Decision(const Log&)> on_run = {};
  // For `merging`, if its graph shows a data race: whether the race matters. It is asked for each
  // pair once, unless a run has shown that pair. If so, a schedule that has it is run, and handed
  // to `on_run` whatever else comes of it. If nothing fails in that run,
  // Runner::settle_race decides. So a race that the Runner does not count as one has to be declined
  // here. Without this, all of them matter.
  std::function<bool(const RacingPair&)> wants_race = {};
  // Asked before each leaf is claimed, or, by the algorithms that have no tree, after each run that
  // counts; false: no more runs are begun.
  std::function<bool(const Ongoing&)> may_continue = {};
  // For any-order algorithms: what an exploration left that was stopped, to continue with.
  const SavedFrontier* resume = nullptr;
  // For the same: asked before each leaf is claimed whether to hand out what would be left if the
  // exploration were stopped now, so that it is not lost.
  std::function<bool()> save_now = {};
  std::function<void(SavedFrontier)> on_save = {};
};

}  // namespace heddle
