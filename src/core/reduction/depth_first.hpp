// What the algorithms that go depth first on a Machine share: the events so far, and the end of a
// run.
#pragma once

#include <vector>

#include "core/machine.hpp"
#include "core/result.hpp"

namespace heddle {

class DepthFirst {
 public:
  DepthFirst(Machine& machine, const ExploreOptions& options)
      : machine_(machine), options_(options) {}

 protected:
  // Thrown to give up all levels at once.
  struct LimitReached {};

  Event step(Move move) {
    events_.push_back(machine_.step(move));
    ++counts_.transitions;
    return events_.back();
  }

  // Nothing is enabled: counts the run and reports it.
  void end_run() {
    const Ending ending = machine_.ending();
    counts_.count(ending, machine_.finding());
    if (options_.on_run) {
      Log log;
      log.ending = ending;
      log.events = events_;
      log.pending = machine_.pending();
      log.final_state = machine_.final_state();
      log.observed = machine_.observed();
      log.finding = machine_.finding();
      options_.on_run(log);
    }
    if (options_.max_executions != 0 &&
        counts_.executions + counts_.blocked >= options_.max_executions)
      throw LimitReached();
    if (options_.go_on && !options_.go_on(nullptr)) throw LimitReached();
  }

  Machine& machine_;
  const ExploreOptions& options_;
  Counts counts_;
  std::vector<Event> events_;
};

}  // namespace heddle
