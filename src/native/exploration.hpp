// Exploring a compiled program: runs of workers, started over whenever something about the program
// is learned, and what they found, in terms of the source.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/algorithm.hpp"
#include "findings/finding.hpp"
#include "native/brought.hpp"
#include "native/progress.hpp"
#include "native/runner.hpp"
#include "native/suppressions.hpp"
#include "native/worker.hpp"
#include "parallel/control.hpp"

namespace heddle::native {

using findings::Finding;
using findings::Trace;

// What an exploration that was stopped leaves behind, for another to continue with.
struct Checkpoint {
  Brought done;  // by the cubes that are complete
  Knowledge knowledge;
  Numbering numbering;
  std::vector<parallel::Item> open;  // cubes, each with what was done of it
};

struct Options {
  std::vector<std::string> command;  // the program and its arguments
  ExploreOptions explore;
  Limits limits;
  std::function<void(const Progress&)> on_progress = {};  // a few times a second
  // Called every `checkpoint_every` seconds, in case this process is killed.
  std::function<void(Checkpoint)> on_checkpoint = {};
  double checkpoint_every = 60;
  bool saves = false;  // what was done is wanted if the exploration is stopped
  const Checkpoint* resume = nullptr;
  // What is resumed is a part of an exploration: if something is learned, it is void.
  bool part = false;
  abi::Races races = abi::Races::report;
  std::vector<std::string> suppress = {};  // files with suppressions
  abi::Timeouts timeouts = abi::Timeouts::last_resort;
  bool spurious_wakeups = false;
  bool kill_at_exit = false;  // threads that still run when main returns are not worth a warning
  bool isolate = false;       // each run in a process of its own
  bool all_visible = false;   // every plain access is an event
  bool keep_going = false;    // after a finding
  bool explain = true;        // findings; otherwise only their kinds and messages are reported
  std::vector<std::int64_t> nondet = {0, 1};
  std::uint32_t max_steps = 100'000;
  std::uint32_t waiting_rounds = 1;  // of a loop, before a thread that only waits in it is stopped
  static constexpr std::uint32_t most_waiting_rounds = 1000;
  abi::Savepoints savepoints = abi::Savepoints::worthwhile;
  // Findings are reported as with one engine: the first is found again by one, from the beginning.
  bool deterministic = false;
  unsigned engines = 1;
  parallel::Elsewhere elsewhere = {};  // as in parallel::Control
  std::uint64_t repeat_every = 1024;   // every such schedule is run twice, and must do the same
  bool collect_races = false;          // Report::races is wanted; for one engine
};

struct Report {
  Counts counts;
  bool complete = false;
  std::vector<Finding> findings;
  Outcomes outcomes;
  std::vector<std::string> warnings;
  std::vector<std::string> limits;     // within which the verdict holds
  std::vector<Suppressed> suppressed;  // data races
  std::size_t restarts = 0;            // because something was learned
  parallel::Overhead overhead;
  std::uint64_t open_states = 0;      // that had moves to be run, when that was last looked at
  bool is_part = false;               // of an exploration: its runs may all count elsewhere
  SeenRaces races;                    // if wanted; all of them, not only those that are findings
  Brought brought;                    // what counts and findings were made of
  std::optional<Checkpoint> learned;  // of a part: what is known now, for parts to be made anew
  double seconds = 0;
  std::string stopped;                   // why it is not complete, if it was stopped
  std::optional<Checkpoint> checkpoint;  // then

  // All findings are runs that were cut off: whether they are wrong is not known.
  bool only_endless() const;
  // Every run was blocked: that none of them has a finding says nothing.
  bool is_vacuous() const {
    return complete && findings.empty() && counts.executions == 0 && !is_part;
  }
  const char* verdict() const;
};

// What the limits of a report say if it was stopped for this reason.
inline std::string not_every_schedule(const std::string& stopped) {
  return stopped + ": not every schedule was explored";
}

Report explore(const Algorithm& algorithm, const Options& options);

// About `wanted` parts of an exploration, as a checkpoint in which they are open, all with the same
// knowledge: of each run of the program, exactly one part has it.
Checkpoint split(const Algorithm& algorithm, const Options& options, std::size_t wanted);

// Makes one run by the schedule in this text, and continues after its end as a first run does.
// Throws Misuse if the program diverges from the schedule.
struct Replay {
  Trace trace;
  std::size_t scheduled = 0;  // the number of steps in the schedule
  std::string run_file;       // what a program that is started by hand reads to make the same run
  std::vector<Finding> findings;  // one or none
};
Replay replay(const Options& options, const std::string& text, Output output);
// The same, with the memory that was learned to be visible.
Replay replay(const Options& options, const Schedule& schedule,
              const std::vector<std::uint64_t>& visible, Output output);

}  // namespace heddle::native
