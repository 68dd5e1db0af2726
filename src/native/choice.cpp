#include "native/choice.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "parallel/alternation.hpp"

namespace heddle::native {
namespace {

class Chooser {
 public:
  explicit Chooser(const Options& options)
      : options_(options),
        observers_(*find_algorithm(first_choice)),
        merging_(*find_algorithm("merging")) {}

  Choice run() {
    if (options_.explore.max_executions != 0) return {explore(observers_, options_), &observers_};
    for (;; turns_.next()) {
      Report report = observe();
      if (!is_paused(report)) return {std::move(report), &observers_};
      checkpoint_ = std::move(report.checkpoint);
      if (turns_.is_others_turn(rest_)) {
        Report other = merge();
        if (other.complete || !other.findings.empty()) return {std::move(other), &merging_};
        if (!is_paused(other)) return {stopped_like(other, std::move(report)), &observers_};
      }
    }
  }

 private:
  static bool is_paused(const Report& report) { return report.stopped == Watch::paused; }

  // From where it was stopped.
  Report observe() {
    Options options = options_;
    if (checkpoint_) options.resume = &*checkpoint_;
    options.limits.before = spent_;
    options.limits.pauses = [&](const Progress& p) {
      const auto runs = static_cast<double>(std::max<std::uint64_t>(p.counts.runs(), 1));
      rest_ = (p.outlook - runs) * (observed_ + p.seconds - spent_) / runs;
      return p.seconds - spent_ > turns_.turn();
    };
    Report out = explore(observers_, options);
    observed_ += out.seconds - spent_;
    spent_ = out.seconds;
    return out;
  }

  // From the beginning.
  Report merge() {
    Options options = options_;
    options.resume = nullptr;
    options.on_checkpoint = {};
    options.saves = false;
    options.limits.before = spent_;
    options.limits.pauses = [&](const Progress& p) {
      return turns_.is_hopeless(p.counts) || p.seconds - spent_ > turns_.turn();
    };
    Report out = explore(merging_, options);
    spent_ = out.seconds;
    return out;
  }

  // What `observers` has explored is more than what was lost now.
  Report stopped_like(const Report& other, Report report) {
    report.checkpoint = std::move(checkpoint_);
    report.seconds = other.seconds;
    std::ranges::replace(report.limits, not_every_schedule(report.stopped),
                         not_every_schedule(other.stopped));
    report.stopped = other.stopped;
    return report;
  }

  const Options& options_;
  const Algorithm &observers_, &merging_;
  parallel::Alternation turns_;
  std::optional<Checkpoint> checkpoint_;  // of observers
  double spent_ = 0, observed_ = 0;       // seconds, and those of observers
  double rest_ = 0;                       // seconds that observers seems to need
};

}  // namespace

Choice explore_by_choice(const Options& options) { return Chooser(options).run(); }

}  // namespace heddle::native
