#include "core/reduction/merging.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/check.hpp"
#include "core/cube_count.hpp"
#include "core/reduction/blame.hpp"
#include "core/reduction/state_graph.hpp"
#include "core/sleeper.hpp"

namespace heddle {
namespace {

class Merging {
 public:
  Merging(Runner& runner, const ExploreOptions& options)
      : runner_(runner),
        options_(options),
        random_(options.seed),
        graph_(runner.footprints(), runner.cube(),
               options.order == ExploreOptions::Pick::random ? &random_ : nullptr),
        cube_count_(runner.footprints(), runner.thread_count(), runner.cube(), Counted::state,
                    Observers::no) {}

  Result explore() {
    try {
      while (decision_ == Decision::proceed && keep_busy()) take(runner_.next());
    } catch (const Interrupted&) {
      decision_ = Decision::stop;
    }
    counts_.states = graph_.states();
    counts_.edges = graph_.edges();
    if (decision_ == Decision::start_over) return {counts_, false, true};
    const bool complete = decision_ == Decision::proceed && !graph_.has_job();
    HEDDLE_CHECK(!complete || graph_.open() == 0);
    return {counts_, complete};
  }

 private:
  // What was asked for.
  struct Claimed {
    StateGraph::Job job;
    std::size_t length;              // of the path to the node
    std::vector<AsleepMove> asleep;  // after the schedule
  };

  bool is_random() const { return options_.order == ExploreOptions::Pick::random; }

  bool keep_busy() {
    while (claimed_.size() < runner_.capacity() && graph_.has_job() && may_run())
      submit(*graph_.claim());
    return !claimed_.empty();
  }

  bool may_run() {
    constexpr std::size_t bytes_per_kb = 1024;
    graph_.keep_within({options_.most_states, options_.most_memory_kb * bytes_per_kb});
    const bool enough = options_.max_executions != 0 &&
                        counts_.executions + counts_.blocked >= options_.max_executions;
    stopped_ = stopped_ || enough || (options_.may_continue && !options_.may_continue(ongoing()));
    return !stopped_;
  }

  Ongoing ongoing() const {
    return {.states = graph_.states(), .edges = graph_.edges(), .open = graph_.open()};
  }

  // l.1
  void submit(const StateGraph::Job& job) {
    const std::uint64_t ticket = ++tickets_;
    Claimed& claimed = claimed_[ticket];
    claimed.job = job;
    graph_.path_to(job.node, path_);
    claimed.length = path_.size();
    schedule_.clear();
    for (const Event& e : path_) schedule_.push_back(e.move);
    if (job.move) {
      schedule_.push_back(*job.move);
      graph_.passed(job.node, *job.move, claimed.asleep);
    } else {
      const auto asleep = graph_.nodes().asleep(job.node);
      claimed.asleep.assign(asleep.begin(), asleep.end());
    }
    Request request;
    request.schedule = schedule_;
    request.known = path_;
    request.ticket = ticket;
    request.digests = true;
    request.asleep = claimed.asleep;
    request.weights = blame_.weights();
    // From a state that is known already, to continue is what was asked for.
    request.until = job.move ? &graph_ : nullptr;
    request.seed = is_random() && random_.chance(.1) ? 0 : random_.next() | 1;
    runner_.submit(request);
  }

  void take(const Log& log) {
    const auto found = claimed_.find(log.ticket);
    HEDDLE_CHECK(found != claimed_.end());
    const Claimed claimed = std::move(found->second);
    claimed_.erase(found);
    if (log.learned) {
      decision_ = Decision::start_over;
      return;
    }
    if (log.ending == Ending::diverged) diverged(claimed, log.diverged_at, log.why_diverged);
    counts_.events += log.events.size();
    if (log.events.size() >= claimed.length + (claimed.job.move ? 1 : 0))
      absorb(claimed, log);
    else if (log.failed())
      count(log);
    else
      diverged(claimed, log.events.size(), "the program ends before");
    graph_.learn_all();
    graph_.finish(claimed.job);
  }

  // l.2
  void absorb(const Claimed& claimed, const Log& log) {
    const Footprints& footprints = runner_.footprints();
    std::vector<AsleepMove> asleep = claimed.asleep;  // as the runner had it
    StateNode* u = claimed.job.node;
    HEDDLE_CHECK(log.digests.size() == log.events.size() - claimed.length);
    for (std::size_t k = claimed.length; k < log.events.size(); ++k) {
      const Event& event = log.events[k];
      learn_who_waits(u, log, k);
      if (k > claimed.length || !claimed.job.move)
        std::erase_if(asleep,
                      [&](const AsleepMove& m) { return !sleeps_on(footprints, m, event); });
      const auto [s, is_new] = graph_.extend(u, event, log.digests[k - claimed.length]);
      if (!is_new) {
        ++counts_.merged;
        return;
      }
      u = s;
    }
    if (log.ending == Ending::known) return graph_.resume_at(u);  // it is not known to us
    learn_who_waits(u, log, log.events.size());
    if (log.ending != Ending::asleep) return count(log);
    ++counts_.blocked;
    blame_.note(asleep);
    graph_.end_among(u, asleep);
  }

  // l.4
  void learn_who_waits(StateNode* u, const Log& log, std::size_t at) {
    for (const Pending& p : log.pending)
      if (p.at == at) graph_.learn_waiting(u, p);
  }

  void count(Log log) {
    log.counts = runner_.cube().empty() || cube_count_.counts(log);
    if (log.counts)
      counts_.count(log);
    else
      ++counts_.discarded;
    if (options_.on_run && (log.counts || log.failed())) decision_ = options_.on_run(log);
  }

  [[noreturn]] void diverged(const Claimed& claimed, std::size_t at, const std::string& why) {
    std::vector<Event> path;
    graph_.path_to(claimed.job.node, path);
    Schedule schedule;
    for (const Event& e : path) schedule.push_back(e.move);
    if (claimed.job.move) schedule.push_back(*claimed.job.move);
    throw Diverged(std::move(schedule), at, why);
  }

  Runner& runner_;
  const ExploreOptions& options_;
  Random random_;
  StateGraph graph_;
  CubeCount cube_count_;
  Blame blame_{runner_.thread_count()};
  Counts counts_;
  std::unordered_map<std::uint64_t, Claimed> claimed_;  // by ticket
  std::uint64_t tickets_ = 0;
  std::vector<Event> path_;
  Schedule schedule_;
  bool stopped_ = false;
  Decision decision_ = Decision::proceed;
};

}  // namespace

Result explore_merging(Runner& runner, const ExploreOptions& options) {
  return Merging(runner, options).explore();
}

}  // namespace heddle
