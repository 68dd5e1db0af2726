// Exploring a compiled program: runs of one worker, started over whenever something about the
// program is learned, and what they found, in terms of the source.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/algorithm.hpp"
#include "findings/finding.hpp"
#include "native/outcomes.hpp"
#include "native/progress.hpp"
#include "native/runner.hpp"
#include "native/suppressions.hpp"
#include "native/worker.hpp"

namespace heddle::native {

using findings::Finding;
using findings::Trace;

// What an exploration that was stopped leaves behind, for another to go on with.
struct Checkpoint {
  struct Found {
    Schedule schedule;
    std::uint64_t runs = 0;
  };
  Counts counts;
  std::vector<Found> found;
  Outcomes outcomes;
  Knowledge knowledge;
  Numbering numbering;
  Notes notes;
  std::vector<std::string> unseen;  // functions that were called, see native/unseen.hpp
  SavedFrontier left;
};

struct Options {
  std::vector<std::string> command;  // the program and its arguments
  ExploreOptions explore;
  Limits limits;
  std::function<void(const Progress&)> on_progress = {};  // a few times a second
  // Every so many seconds, for the case that this process does not live to its end.
  std::function<void(Checkpoint)> on_checkpoint = {};
  double checkpoint_every = 60;
  const Checkpoint* resume = nullptr;
  abi::Races races = abi::Races::report;
  std::vector<std::string> suppress = {};  // files with suppressions
  abi::Timeouts timeouts = abi::Timeouts::last_resort;
  bool spurious_wakeups = false;
  bool kill_at_exit = false;  // of main, other threads are as good as gone
  bool isolate = false;       // each run in a process of its own
  bool all_visible = false;   // every plain access is an event
  bool keep_going = false;    // after a finding
  bool explain = true;        // findings; else their kinds and messages are all that is told
  std::vector<std::int64_t> nondet = {0, 1};
  std::uint32_t max_steps = 100'000;
  std::uint32_t waiting_rounds = 1;  // of a loop, before a thread is stopped that only waits in it
  static constexpr std::uint32_t most_waiting_rounds = 1000;
  abi::Savepoints savepoints = abi::Savepoints::worthwhile;
  std::uint64_t repeat_every = 1024;  // schedules: one of them is run twice, and must do the same
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
  double seconds = 0;
  std::string stopped;                   // why it is not complete, if it was stopped
  std::optional<Checkpoint> checkpoint;  // then

  // Nothing but runs that were cut short: whether they are wrong is not known.
  bool only_endless() const;
  // Every run was given up on the way: that none has a finding says nothing.
  bool is_vacuous() const { return complete && findings.empty() && counts.executions == 0; }
  const char* verdict() const;
};

Report explore(const Algorithm& algorithm, const Options& options);

// One run, by the schedule in this text, and then as the first. Throws Misuse if it does not fit
// the program.
struct Replay {
  Trace trace;
  std::size_t scheduled = 0;      // how many steps the text asks for
  std::string run_file;           // what a program that is started by hand reads to do the same
  std::vector<Finding> findings;  // one or none
};
Replay replay(const Options& options, const std::string& text, Output output);
// The same, with what was learned to be visible.
Replay replay(const Options& options, const Schedule& schedule,
              const std::vector<std::uint64_t>& visible, Output output);

}  // namespace heddle::native
