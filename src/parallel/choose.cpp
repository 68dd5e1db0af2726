#include "parallel/choose.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "core/execution.hpp"

namespace heddle::parallel {
namespace {

using StepPair = std::pair<StepName, StepName>;
using Pairs = std::map<StepPair, double>;  // with the share that is likely to be in vain

constexpr std::size_t most_races = 64;  // of a run that are looked at
// A step that varies does not always depend on the other: a compare-exchange that fails only reads.
// Random runs rarely show how many schedules that has. Of a lock-free stack it is this share if
// nothing that its threads did before varies, and so much more for each step that did.
constexpr double likely_in_vain = 0.04;

// A run, with its steps by name.
class Sample {
 public:
  Sample(const Log& run, const Runner& runner, Observers observers)
      : footprints_(runner.footprints()),
        execution_(runner.footprints(), runner.thread_count(), observers, runner.cube().waits),
        places_(runner.thread_count()) {
    execution_.assign(run.events, run.pending);
    for (std::uint32_t k = 0; k < execution_.size(); ++k) {
      std::vector<std::uint32_t>& of_thread = places_[execution_.event(k).move.thread];
      names_.push_back(
          {execution_.event(k).move.thread, static_cast<std::uint32_t>(of_thread.size())});
      of_thread.push_back(k);
    }
  }

  void add_races(Pairs& to) const {
    const auto races = execution_.races();
    const std::size_t every = races.size() / most_races + 1;
    for (std::size_t k = 0; k < races.size(); k += every) {
      const auto& [first, second] = std::pair(races[k].first, races[k].second);
      double& in_vain = to[{names_[first], name_of(second)}];
      if (varies(first) || varies(second))
        in_vain = std::max(in_vain,
                           likely_in_vain * (1 + varying_before(first) + varying_before(second)));
    }
  }

  enum class Went : std::uint8_t { first_before_second, second_before_first, unordered };
  Went went(const StepPair& pair) const {
    const auto first = place_of(pair.first), second = place_of(pair.second);
    if (!first || !second) return Went::unordered;
    if (execution_.before(*first, *second)) return Went::first_before_second;
    return execution_.before(*second, *first) ? Went::second_before_first : Went::unordered;
  }

 private:
  bool varies(std::uint32_t i) const {
    return footprints_.varies(execution_.event(i).footprint) != Varies::no;
  }
  double varying_before(std::uint32_t i) const {
    const std::vector<std::uint32_t>& of_thread = places_[execution_.event(i).move.thread];
    return static_cast<double>(std::ranges::count_if(
        of_thread, [&](std::uint32_t k) { return k < execution_.place_of(i) && varies(k); }));
  }
  // A pending step included.
  StepName name_of(std::uint32_t i) const {
    if (i < execution_.size()) return names_[i];
    const ThreadId thread = execution_.event(i).move.thread;
    const auto before = std::ranges::lower_bound(places_[thread], execution_.place_of(i));
    return {thread, static_cast<std::uint32_t>(before - places_[thread].begin())};
  }
  std::optional<std::uint32_t> place_of(StepName step) const {
    const std::vector<std::uint32_t>& of_thread = places_[step.thread];
    if (step.index >= of_thread.size()) return {};
    return of_thread[step.index];
  }

  const Footprints& footprints_;
  Execution execution_;
  std::vector<StepName> names_;                     // by event
  std::vector<std::vector<std::uint32_t>> places_;  // by thread
};

// Each bit by which a half is smaller costs the share of the runs that are in both, of which only
// one counts. What was not seen in so few runs may be.
Splitting judged(const Pairs::value_type& candidate, const std::vector<Sample>& samples) {
  const auto& [pair, likely] = candidate;
  constexpr double unseen = 0.5;
  double first = unseen, second = unseen, both = 0;
  for (const Sample& s : samples) {
    const Sample::Went went = s.went(pair);
    if (went == Sample::Went::unordered) ++both;
    // The first half has what is not ordered, too.
    ++(went == Sample::Went::second_before_first ? second : first);
  }
  const double all = first + second, share = first / all;
  const double bits = -share * std::log2(share) - (1 - share) * std::log2(1 - share);
  const double in_vain = std::max(both / all, likely);
  return {pair.first, pair.second, in_vain, (in_vain + unseen / all) / bits};
}

}  // namespace

std::optional<Splitting> steps_to_split_by(Runner& runner, Observers observers) {
  std::vector<Sample> samples;
  samples.reserve(sampled_runs);
  Pairs pairs;
  for (std::uint64_t seed = 0; seed < sampled_runs; ++seed) {
    runner.submit({.schedule = {}, .seed = seed});
    const Log& log = runner.next();
    if (log.learned) throw Learned();
    samples.emplace_back(log, runner, observers).add_races(pairs);
  }
  const auto best = std::ranges::min_element(
      pairs, {}, [&](const auto& candidate) { return judged(candidate, samples).cost; });
  if (best == pairs.end()) return {};
  return judged(*best, samples);
}

bool Divisible::has_race(const Log& run, const Runner& runner) const {
  Execution execution(runner.footprints(), runner.thread_count(), observers_, runner.cube().waits);
  execution.assign(run.events, run.pending);
  return !execution.races().empty();
}

}  // namespace heddle::parallel
