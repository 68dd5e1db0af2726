// What the algorithms that go depth first on a Machine share: the events so far, and the end of a
// run.
#pragma once

#include <vector>

#include "core/cube_count.hpp"
#include "core/machine.hpp"
#include "core/result.hpp"

namespace heddle {

class DepthFirst {
 public:
  DepthFirst(Machine& machine, const ExploreOptions& options, Counted counted)
      : machine_(machine),
        options_(options),
        cube_count_(machine.footprints(), machine.thread_count(), machine.cube(), counted,
                    Observers::no) {}

 protected:
  // Thrown to give up all levels at once.
  struct Stopped {
    bool start_over = false;
  };

  // Explores from the beginning of the program by `visit`, which goes through all of it.
  template <typename Visit>
  Result run(Visit visit) {
    Result out;
    try {
      machine_.reset();
      visit();
    } catch (const Stopped& s) {
      out.complete = false;
      out.start_over = s.start_over;
    } catch (const Learned&) {
      out.complete = false;
      out.start_over = true;
    } catch (const Interrupted&) {
      out.complete = false;
    }
    out.counts = counts_;
    return out;
  }

  Event step(Move move) {
    events_.push_back(machine_.step(move));
    ++counts_.events;
    return events_.back();
  }

  // Nothing is enabled: counts the run and reports it.
  void end_run() {
    Log log;
    log.ending = machine_.ending();
    log.outcome = machine_.outcome();
    log.events = events_;
    log.counts = machine_.cube().empty() || cube_count_.counts(log);
    if (log.counts)
      counts_.count(log);
    else
      ++counts_.discarded;
    if (options_.on_run && (log.counts || log.failed())) {
      log.pending = machine_.pending();
      log.races = machine_.races();
      log.final_state = machine_.final_state();
      log.observed = machine_.observed();
      const Decision decision = options_.on_run(log);
      if (decision != Decision::proceed) throw Stopped{decision == Decision::start_over};
    }
    if (options_.max_executions != 0 &&
        counts_.executions + counts_.blocked >= options_.max_executions)
      throw Stopped();
    if (options_.may_continue && !options_.may_continue({})) throw Stopped();
  }

  Machine& machine_;
  const ExploreOptions& options_;
  CubeCount cube_count_;
  Counts counts_;
  std::vector<Event> events_;
};

}  // namespace heddle
