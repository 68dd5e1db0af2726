// The any-order exploration that Optimal-DPOR and its variants share. What a variant is, its
// Reduction tells: which order events have, how a race is reversed, and what wakes a sleeper. See
// reduction/optimal.hpp for the algorithm; lines refer to it.
//
// The explorer itself decides nothing about schedules. The Frontier (the tree) says what to run,
// the Runner runs it, the Planner (order, races, sleepers, reversals) says what the run calls for,
// and the Frontier takes it in. What they hand each other are values: task.hpp. As many runs are in
// flight as the Runner can have; their logs may come in any order.
//
// Invariants:
//   (1) in_flight_ <= runner_.capacity() when a request is submitted, and each request that was
//       submitted is answered by one log, which has its ticket.
//   (2) What a log means is decided by the task of its ticket.
//   (3) A Log, a Task and a Plan are used up before anything else is asked of what made them.
//   (4) Whatever ends the exploration, the frontier has all that is left to do.
#pragma once

#include <optional>
#include <utility>

#include "base/check.hpp"
#include "core/cube_count.hpp"
#include "core/frontier.hpp"
#include "core/planner.hpp"
#include "core/result.hpp"
#include "core/task.hpp"
#include "model/runner.hpp"

namespace heddle {

template <typename Reduction>
class Explorer {
 public:
  Explorer(Runner& runner, const Reduction& reduction, const ExploreOptions& options)
      : runner_(runner),
        options_(options),
        frontier_(runner.footprints(), reduction, options.order, options.seed),
        planner_(runner.footprints(), runner.thread_count(), reduction, runner, runner.cube()),
        cube_count_(runner.footprints(), runner.thread_count(), runner.cube(), Counted::trace,
                    Reduction::observers) {}

  Result explore() {
    if (options_.resume != nullptr) frontier_.restore(*options_.resume);
    try {
      while (decision_ == Decision::proceed && keep_busy()) take(runner_.next());  // l.1, l.9
    } catch (const Interrupted&) {
      decision_ = Decision::stop;
    }
    if (decision_ == Decision::start_over) return {counts_, false, true};
    if (decision_ == Decision::proceed && !frontier_.has_leaf()) return {counts_, true};
    return {counts_, false, false, frontier_.save()};
  }

 private:
  // Submits as many requests as can be in flight, urgent ones first. False if there is none: then
  // all is done, or a limit is reached.
  bool keep_busy() {
    for (; in_flight_ < runner_.capacity(); ++in_flight_) {
      if (const auto urgent = frontier_.claim_urgent()) {
        runner_.submit(*urgent);
      } else if (may_claim_leaf()) {
        runner_.submit(frontier_.claim_leaf());
        ++leaves_claimed_;
      } else {
        break;
      }
    }
    return in_flight_ != 0;
  }

  bool may_claim_leaf() {
    if (stopped_ || leaves_claimed_ == most_leaves() || !frontier_.has_leaf()) return false;
    stopped_ = options_.may_continue && !options_.may_continue({.tree = &frontier_.tree()});
    if (stopped_) return false;
    if (options_.save_now && options_.save_now()) options_.on_save(frontier_.save());
    return true;
  }
  std::uint64_t most_leaves() const {
    return options_.max_executions == 0 ? ~std::uint64_t{0} : options_.max_executions;
  }

  void take(const Log& log) {
    HEDDLE_CHECK(in_flight_ != 0);
    --in_flight_;
    if (log.learned) {
      decision_ = Decision::start_over;
      return;
    }
    if (log.ending == Ending::diverged) diverged(log.ticket, log.diverged_at, log.why_diverged);
    const Task task = frontier_.task(log.ticket);
    const bool reached = reaches(task, log);
    // A run that failed before it was where it was to come is a finding, whatever it was for.
    if (task.kind == Task::Kind::leaf || (task.kind == Task::Kind::probe && !reached)) count(log);
    if (task.kind == Task::Kind::end)
      frontier_.learn(task, log.events);
    else if (reached)
      plan(task, log);
    frontier_.finish(log.ticket);
  }

  void plan(const Task& task, const Log& log) {
    const bool leaf = task.kind == Task::Kind::leaf;
    if (leaf)
      if (const auto at = frontier_.divergence(log))
        diverged(log.ticket, *at, "it does something else");
    const Plan& plan = planner_.plan(task, log);  // l.2 to l.4
    if (leaf) frontier_.grow(log);
    frontier_.apply(plan);  // l.5 to l.8
  }

  // False if the run has a finding that kept it from getting as far as it was asked to.
  bool reaches(const Task& task, const Log& log) {
    const bool probe = task.kind == Task::Kind::probe;
    const std::size_t length = task.path.size() + task.v.size() - (probe ? 1 : 0);
    if (probe ? log.events.size() == length : log.events.size() >= length) return true;
    if (!log.failed()) diverged(log.ticket, log.events.size(), "the program ends before");
    return false;
  }

  [[noreturn]] void diverged(std::uint64_t ticket, std::size_t at, const std::string& why) const {
    Schedule schedule;
    frontier_.schedule_of(ticket, schedule);
    throw Diverged(std::move(schedule), at, why);
  }

  void count(const Log& log) {
    if (!runner_.cube().empty() && !cube_count_.counts(log)) return discard(log);
    counts_.events += log.events.size();
    counts_.count(log);
    if (options_.on_run) decision_ = options_.on_run(log);
  }

  // A run of the cube that does not count; what it found does.
  void discard(Log log) {
    ++counts_.discarded;
    log.counts = false;
    if (options_.on_run && log.failed()) decision_ = options_.on_run(log);
  }

  Runner& runner_;
  const ExploreOptions& options_;
  Counts counts_;
  Frontier<Reduction> frontier_;
  Planner<Reduction> planner_;
  CubeCount cube_count_;
  std::size_t in_flight_ = 0;
  std::uint64_t leaves_claimed_ = 0;
  bool stopped_ = false;                   // no more leaves are to be claimed
  Decision decision_ = Decision::proceed;  // after the run that came last
};

}  // namespace heddle
