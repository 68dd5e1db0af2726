#include "core/reduction/merging.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

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
               options.order == ExploreOptions::Pick::random ? &random_ : nullptr,
               runner.stretches()),
        cube_count_(runner.footprints(), runner.thread_count(), runner.cube(), Counted::state,
                    Observers::no) {
    graph_.wants_race = [this](const RacingPair& pair) { return wants(pair); };
  }

  Result explore() {
    try {
      while (decision_ == Decision::proceed && keep_busy()) take(runner_.next());
    } catch (const Interrupted&) {
      decision_ = Decision::stop;
    }
    count_states();
    if (decision_ == Decision::start_over) return {counts_, false, true};
    const bool complete = decision_ == Decision::proceed && !graph_.has_job() && to_show_.empty();
    HEDDLE_CHECK(!complete || (graph_.open() == 0 && !graph_.is_tracing()));
    return {counts_, complete, false, {}, {racing_.begin(), racing_.end()}};
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
    const auto has_room = [&] { return in_flight() < runner_.capacity(); };
    while (has_room() && !to_show_.empty()) show();
    while (has_room() && graph_.has_job() && may_run()) submit(*graph_.claim());
    return in_flight() != 0;
  }
  std::size_t in_flight() const { return claimed_.size() + shown_.size(); }

  bool may_run() {
    constexpr std::size_t bytes_per_kb = 1024;
    graph_.keep_within({options_.most_states, options_.most_memory_kb * bytes_per_kb});
    const bool enough = options_.max_executions != 0 &&
                        counts_.executions + counts_.blocked >= options_.max_executions;
    stopped_ = stopped_ || enough || (options_.may_continue && !options_.may_continue(ongoing()));
    return !stopped_;
  }

  Ongoing ongoing() {
    count_states();
    return {.counts = &counts_, .open = graph_.open()};
  }
  void count_states() {
    counts_.states = graph_.states();
    counts_.edges = graph_.edges();
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
    if (!is_random()) request.weights = blame_.weights(job.toward);
    // From a state that is known already, to continue is what was asked for.
    request.until = job.move ? &graph_ : nullptr;
    request.seed = is_random() && random_.chance(.1) ? 0 : random_.next() | 1;
    runner_.submit(request);
  }

  void take(const Log& log) {
    if (const auto found = shown_.find(log.ticket); found != shown_.end()) {
      take_race(shown_.extract(found).mapped(), log);
      return;
    }
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
    if (std::exchange(beginning_, log.beginning) != log.beginning)
      graph_.set_beginning(log.beginning);
    if (log.events.size() >= claimed.length + (claimed.job.move ? 1 : 0))
      absorb(claimed, log);
    else if (log.failed())
      count(log);
    else
      diverged(claimed, log.events.size(), "the program ends before");
    graph_.learn_all();
    graph_.finish(claimed.job);
    for (StateGraph::FoundRace& race : graph_.take_races()) to_show_.push_back(std::move(race));
  }

  // l.2
  void absorb(const Claimed& claimed, const Log& log) {
    StateNode* u = claimed.job.node;
    HEDDLE_CHECK(log.digests.size() == log.events.size() - claimed.length);
    HEDDLE_CHECK(log.stretches.empty() || log.stretches.size() == log.digests.size());
    for (std::size_t k = claimed.length; k < log.events.size(); ++k) {
      const Event& event = log.events[k];
      learn_who_waits(u, log, k);
      const std::size_t n = k - claimed.length;
      const StretchId stretch = log.stretches.empty() ? Stretches::empty : log.stretches[n];
      const auto [s, is_new] = graph_.extend(u, event, log.digests[n], stretch);
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
    const std::vector<AsleepMove> asleep = asleep_after(claimed, log);
    blame_.note(asleep);
    graph_.end_among(u, asleep);
  }

  // As the runner had it.
  std::vector<AsleepMove> asleep_after(const Claimed& claimed, const Log& log) const {
    std::vector<AsleepMove> asleep = claimed.asleep;
    for (const Event& event : log.events.subspan(claimed.length + (claimed.job.move ? 1 : 0)))
      std::erase_if(
          asleep, [&](const AsleepMove& m) { return !sleeps_on(runner_.footprints(), m, event); });
    return asleep;
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
    if (options_.on_run && (log.counts || log.failed())) {
      told_.insert(log.races.begin(), log.races.end());
      decision_ = options_.on_run(log);
    }
  }

  // --- data races

  bool wants(const RacingPair& pair) {
    racing_.insert(pair);
    return told_.insert(pair).second && (!options_.wants_race || options_.wants_race(pair));
  }

  // Has a run show what the graph does.
  void show() {
    const std::uint64_t ticket = ++tickets_;
    const StateGraph::FoundRace& race =
        shown_.emplace(ticket, std::move(to_show_.back())).first->second;
    to_show_.pop_back();
    Request request;
    request.schedule = race.schedule;
    request.ticket = ticket;
    request.digests = true;  // made as the runs of the graph were
    runner_.submit(request);
  }

  void take_race(const StateGraph::FoundRace& race, Log log) {
    if (log.learned) {
      decision_ = Decision::start_over;
      return;
    }
    if (log.ending == Ending::diverged)
      throw Diverged(race.schedule, log.diverged_at, log.why_diverged);
    // Of several races in a run, the Runner may report another; and none, if it takes the first
    // access to be covered by one that does not matter.
    if (!log.failed()) {
      const std::optional<Outcome> outcome = runner_.settle_race(race.pair);
      if (!outcome) decision_ = Decision::start_over;
      if (!outcome) return;
      log.outcome = *outcome;
    }
    counts_.events += log.events.size();
    ++counts_.findings;
    log.counts = false;
    if (options_.on_run) decision_ = options_.on_run(log);
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
  StretchId beginning_ = Stretches::empty;
  std::set<RacingPair> racing_;  // by the graph
  std::set<RacingPair> told_;    // to the caller, or about to be; or it does not want it
  std::vector<StateGraph::FoundRace> to_show_;
  std::unordered_map<std::uint64_t, StateGraph::FoundRace> shown_;  // in flight, by ticket
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
