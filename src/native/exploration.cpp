#include "native/exploration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/check.hpp"
#include "native/describe.hpp"
#include "native/explainer.hpp"
#include "native/machine.hpp"
#include "native/remarks.hpp"
#include "native/settings.hpp"
#include "native/unseen.hpp"

namespace heddle::native {
namespace {

// The number of runs that are cut off for their length before the exploration stops. Those that are
// left to do are likely to be as long; by default, this is ten million steps.
constexpr std::uint64_t most_endless = 100;

// Both are sorted, without duplicates.
void add_to_set(std::vector<std::string>& to, const std::vector<std::string>& more) {
  std::vector<std::string> all;
  std::ranges::set_union(to, more, std::back_inserter(all));
  to = std::move(all);
}

class Exploration {
 public:
  Exploration(const Algorithm& algorithm, const Options& options)
      : algorithm_(algorithm),
        options_(options),
        suppressions_(options.suppress),
        worker_(options.command),
        resume_(options.resume),
        watch_(options.limits, options.on_progress) {
    worker_.set_stop([this] { return watch_.is_over(); });
    if (resume_ == nullptr) return;
    knowledge_ = resume_->knowledge;
    worker_.names().set_numbering(resume_->numbering);
  }

  Report run() {
    for (Knowledge before = knowledge_; !attempt(); before = knowledge_) {
      HEDDLE_CHECK(knowledge_.includes(before) && !before.includes(knowledge_));
      ++report_.restarts;
      resume_ = nullptr;  // its tree no longer means the same
    }
    report_.seconds = watch_.seconds();
    if (notes_.bounded != 0) report_.complete = false;
    report_.warnings = warnings_of(notes_, options_, worker_);
    report_.limits = limits_of(notes_, options_, unseen_, worker_);
    report_.suppressed = suppressed_races(knowledge_);
    for (const Suppressed& by : report_.suppressed) report_.limits.push_back(by.text());
    report_.warnings.insert(report_.warnings.end(), suppressions_.remarks().begin(),
                            suppressions_.remarks().end());
    if (report_.is_vacuous())
      report_.limits.insert(report_.limits.begin(), what_held(notes_, worker_));
    if (endless_ != 0)
      report_.limits.insert(report_.limits.begin(),
                            fmt::format("runs cut off after {} steps: {}; the others are explored",
                                        options_.max_steps, endless_));
    if (!report_.stopped.empty())
      report_.limits.insert(report_.limits.begin(),
                            report_.stopped + ": not every schedule was explored");
    return std::move(report_);
  }

 private:
  // False: something was learned.
  bool attempt() {
    const std::size_t restarts = report_.restarts;
    report_ = {};
    report_.restarts = restarts;
    seen_.clear();
    endless_ = 0;
    stops_ = false;
    runner_.reset();
    worker_.configure(*settings_of(options_, knowledge_, algorithm_.covers));
    runner_.emplace(worker_, worker_.names(), knowledge_, options_.races, options_.repeat_every);
    try {
      if (resume_ != nullptr) take_up(*resume_);
      if (!explore()) return false;
      if (judge()) return false;
    } catch (const Learned&) {
      return false;
    } catch (const Unsupported& u) {
      throw worker_.with_process(
          [&](pid_t process) { return unsupported(u.outcome, Symbols(process)); });
    } catch (const Interrupted&) {
      report_.complete = false;
      report_.stopped = watch_.stopped();
    }
    sum_up();
    if (report_.checkpoint) complete(*report_.checkpoint);
    leave_out_endless();
    return explain();
  }

  // False: something was learned. (A run that is explained may still show it: one that dies, for
  // instance, is then seen to its end.)
  bool explain() {
    try {
      for (const Seen& s : seen_) report_.findings.push_back(explainer().explain(s));
    } catch (const Learned&) {
      return false;
    }
    return true;
  }

  // Whether some of the data races found are suppressed. Their accesses become visible and are
  // explored, so the exploration has to start over. Each is explained in a run of its own, and so
  // are those that come after it in the same run.
  bool judge() {
    std::set<std::uint64_t> memory;
    const std::size_t pardoned = knowledge_.pardoned.size(), visible = knowledge_.visible.size();
    for (const Seen& s : seen_) {
      if (s.outcome.finding != abi::Finding::data_race) continue;
      Explanation run = runner_->explain(s.schedule);
      while (pardon(run, suppressions_, worker_, knowledge_)) {
        worker_.configure(*settings_of(options_, knowledge_, algorithm_.covers));
        run = runner_->explain(s.schedule);
      }
      for (const abi::WireRace& r : run.races)
        if (r.sort == abi::RaceSort::suppressed) memory.insert(r.memory);
    }
    knowledge_.visible.merge(memory);
    if (knowledge_.too_much_visible())
      throw Misuse("suppressed data races affect more memory than can be explored");
    return knowledge_.visible.size() != visible || knowledge_.pardoned.size() != pardoned;
  }

  // Collects what can only be read while a process is alive.
  void sum_up() {
    worker_.set_stop({});
    notes_ = runner_->notes();
    unseen_ = unseen_functions(worker_);
    if (resume_ != nullptr) {
      notes_ += resume_->notes;
      add_to_set(unseen_, resume_->unseen);
    }
    worker_.set_stop([this] { return watch_.is_over(); });
  }

  void complete(Checkpoint& checkpoint) {
    checkpoint.notes = notes_;
    checkpoint.unseen = unseen_;
    checkpoint.numbering = worker_.names().numbering();
  }

  void save(SavedFrontier left) {
    const Stopwatch stopwatch;
    Checkpoint now = checkpoint(std::move(left));
    sum_up();
    complete(now);
    options_.on_checkpoint(std::move(now));
    watch_.has_saved(stopwatch.seconds());
  }

  // Continues from a checkpoint. The findings so far are run again, to have their outcomes.
  void take_up(const Checkpoint& checkpoint) {
    HEDDLE_CHECK(seen_.empty() && algorithm_.any_order);
    report_.counts = checkpoint.counts;
    report_.outcomes = checkpoint.outcomes;
    report_.checkpoint = checkpoint;  // in case it is interrupted before the end of this
    for (const Checkpoint::Found& f : checkpoint.found)
      seen_.push_back({runner_->run_alone(f.schedule).outcome, f.schedule, f.runs});
    report_.checkpoint.reset();
  }

  Checkpoint checkpoint(SavedFrontier left) const {
    Checkpoint out{report_.counts, {}, report_.outcomes, knowledge_, {}, {}, {}, std::move(left)};
    for (const Seen& s : seen_) out.found.push_back({s.schedule, s.runs});
    return out;
  }

  // False: something was learned.
  bool explore() {
    ExploreOptions how = options_.explore;
    how.on_run = [&](const Log& log) { return note_run(log); };
    how.may_continue = [&](const Tree* tree) {
      return watch_.may_continue(tree,
                                 [&] { return Progress{report_.counts, seen_.size(), 0, {}}; });
    };
    if (resume_ != nullptr) how.resume = &resume_->left;
    if (options_.on_checkpoint) {
      how.save_now = [&] { return watch_.is_time_to_save(options_.checkpoint_every); };
      how.on_save = [&](SavedFrontier left) { save(std::move(left)); };
    }
    try {
      const Counts before = report_.counts;
      NativeMachine machine(*runner_);
      Result result = algorithm_.explore({*runner_, machine}, how);
      if (result.start_over) return false;
      report_.counts = before;
      report_.counts += result.counts;
      // What would have followed a death is not known.
      report_.complete = result.complete && std::ranges::none_of(seen_, [](const Seen& s) {
                           return s.outcome.finding == abi::Finding::died;
                         });
      if (!stops_) runner_->finish();
      if (result.complete) return true;
      if (!stops_)
        report_.stopped = watch_.stopped().empty()
                              ? fmt::format("the limit of {} runs was reached", how.max_executions)
                              : watch_.stopped();
      if (algorithm_.any_order) report_.checkpoint = checkpoint(std::move(result.left));
    } catch (const Nondeterminism& n) {
      report_.findings.push_back(explainer().nondeterminism(n, n.schedule));
    } catch (const Diverged& m) {
      if (runner_->repeats(m.schedule)) throw;  // a bug in heddle, not of the program
      report_.findings.push_back(explainer().nondeterminism({m.step, 0, {}}, m.schedule));
    }
    return true;
  }

  Decision note_run(const Log& log) {
    report_.counts.count(log);
    report_.counts.events += log.events.size();
    const Outcome& outcome = log.outcome;
    if (log.ending != Ending::assumed) ++report_.outcomes[{outcome.value, outcome.finding}];
    if (outcome.finding == abi::Finding::none) return Decision::proceed;
    const bool endless = outcome.finding == abi::Finding::endless;
    const auto known = std::ranges::find_if(seen_, [&](const Seen& s) {
      return endless ? s.outcome.finding == outcome.finding : same(s.outcome, outcome);
    });
    const bool is_new = known == seen_.end();
    if (!is_new) {
      ++known->runs;
    } else {
      Schedule schedule;
      for (const Event& e : log.events) schedule.push_back(e.move);
      if (algorithm_.any_order && outcome.dying_move) schedule.push_back(*outcome.dying_move);
      seen_.push_back({outcome, std::move(schedule), 1});
    }
    if (endless && ++endless_ == most_endless)
      report_.stopped = fmt::format("{} runs took too many steps", endless_);
    // What a checkpoint had found is no reason to stop again.
    const bool stops_at_it = !options_.keep_going && is_new;
    stops_ = endless ? endless_ >= most_endless : stops_at_it;
    return stops_ ? Decision::stop : Decision::proceed;
  }

  // Where there are findings, runs that were cut off are not reported.
  void leave_out_endless() {
    const auto is_endless = [](const Seen& s) {
      return s.outcome.finding == abi::Finding::endless;
    };
    if (options_.keep_going || std::ranges::all_of(seen_, is_endless)) return;
    std::erase_if(seen_, is_endless);
  }

  Explainer explainer() { return {options_, worker_, *runner_, watch_, knowledge_}; }

  const Algorithm& algorithm_;
  const Options& options_;
  const Suppressions suppressions_;
  Worker worker_;
  const Checkpoint* resume_;
  Watch watch_;
  Knowledge knowledge_;
  std::optional<NativeRunner> runner_;
  Report report_;
  std::vector<Seen> seen_;
  Notes notes_;
  std::vector<std::string> unseen_;  // functions
  std::uint64_t endless_ = 0;        // runs
  bool stops_ = false;               // because of what a run did
};

}  // namespace

Report explore(const Algorithm& algorithm, const Options& options) {
  return Exploration(algorithm, options).run();
}

}  // namespace heddle::native
