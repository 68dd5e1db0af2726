// The planner: what a run calls for. It has the order of the run, its races, what sleeps along its
// path, and the reversals; l.2 to l.4 of reduction/optimal.hpp. It neither sees nor changes the
// tree: what lies left of the path comes with the task, and that is fixed since the path was made.
//
// What it keeps from one run to the next saves work and changes nothing: a planner that has seen
// nothing makes the same plan, if the task promises nothing shared.
//
// Invariants, between calls:
//   (1) execution_ has the first ordered_ events of the last run that was planned, as they are.
//   (2) sleepers_at_ has slept_ + 2 entries; those asleep before the k-th event, k <= slept_, are
//       sleepers_[sleepers_at_[k]] to sleepers_[sleepers_at_[k + 1]].
//   (3) No sleeper in sleepers_ is awake.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/check.hpp"
#include "core/execution.hpp"
#include "core/in_place.hpp"
#include "core/sleeper.hpp"
#include "core/task.hpp"
#include "model/runner.hpp"

namespace heddle {

template <typename Reduction>
class Planner {
 public:
  Planner(const Footprints& footprints, std::size_t threads, Reduction reduction, Uses& uses,
          const Cube& cube = whole_program)
      : footprints_(footprints),
        uses_(uses),
        reduction_(std::move(reduction)),
        execution_(footprints, threads, Reduction::observers, cube.waits) {}

  // The insertions for the run of a leaf, or for a reversal that has been probed. Valid until the
  // next call. REQUIRES: the task is a leaf or a probe, and the log is its own: it begins with the
  // events of the path, and has as many as the task asked for, at least.
  const Plan& plan(const Task& task, const Log& log) {
    plan_.clear();
    if (task.kind == Task::Kind::probe)
      plan_probed(task, log);
    else
      plan_run(task, log);
    return plan_;
  }

 private:
  void plan_run(const Task& task, const Log& log) {
    HEDDLE_CHECK(task.kind == Task::Kind::leaf && log.events.size() >= task.path.size());
    died_ = log.ending == Ending::died;
    execution_.assign(log.events, log.pending, std::min(task.shared, ordered_));
    ordered_ = log.events.size();
    put_to_sleep(task, log.events);
    HEDDLE_CHECK(asleep_before(log.events.size()).empty());  // no run is redundant
    for (const Race& race : execution_.races())              // l.2
      if (!planned_before(race, task.attached_at)) reverse(task, race);
  }

  // A reversal whose last event was in doubt, now that it has been run.
  void plan_probed(const Task& task, const Log& log) {
    HEDDLE_CHECK(log.events.size() + 1 == task.path.size() + task.v.size());
    ordered_ = std::min(ordered_, task.shared);
    const std::size_t at = task.path.size() - 1;
    put_to_sleep(task, log.events.first(at));
    v_.assign(log.events.begin() + static_cast<std::ptrdiff_t>(at), log.events.end());
    probe_next(task);
    if (v_.size() > 1 && v_.back().move.alternative == 0) probe_next_but_one(task);
    add_unless_covered(task, log.events, at, true);
  }

  // The alternatives of a step that varies in its choices become known one after the other: each
  // probe asks for the next, of its last event and of the one before.
  void probe_next(const Task& task) {
    if (!has_more_choices(v_.back())) return;
    next_.assign(task.v.begin(), task.v.end());
    next_.back().move.alternative = static_cast<std::uint16_t>(v_.back().alternatives - 1);
    plan_.add(place_of(task), next_, Insertion::Last::unknown);
  }
  void probe_next_but_one(const Task& task) {
    const Event& event = v_[v_.size() - 2];
    if (!has_more_choices(event)) return;
    next_.assign(task.v.begin(), task.v.end());
    next_[next_.size() - 2].move.alternative = static_cast<std::uint16_t>(event.alternatives - 1);
    plan_.add(place_of(task), next_, Insertion::Last::unknown);
  }
  static std::uint32_t place_of(const Task& probe) {
    return static_cast<std::uint32_t>(probe.path.size() - 1);
  }

  // Brings the sleepers before each of the events up to date, from where the path has left the one
  // before. There is nothing left of events after the path.
  void put_to_sleep(const Task& task, std::span<const Event> events) {
    slept_ = std::min({slept_, task.shared, events.size()});
    sleepers_at_.resize(slept_ + 2);
    sleepers_.resize(sleepers_at_.back());
    for (; slept_ < events.size(); ++slept_) {
      const std::size_t begin = sleepers_at_[slept_], end = sleepers_at_[slept_ + 1];
      const auto at = static_cast<std::uint32_t>(slept_);
      const Trail trail{events, {}, {}};
      const auto carry = [&](Sleeper s) {
        reduction_.advance(s, events[at], trail, at);
        if (s.state != Sleeper::State::awake) sleepers_.push_back(s);
      };
      for (std::size_t s = begin; s < end; ++s) carry(sleepers_[s]);
      if (slept_ < task.path.size())
        for (const Event& left : task.left_of(slept_)) carry(Sleeper::of(left, at));
      sleepers_at_.push_back(sleepers_.size());
    }
  }

  std::span<const Sleeper> asleep_before(std::size_t k) const {
    return std::span(sleepers_).subspan(sleepers_at_[k], sleepers_at_[k + 1] - sleepers_at_[k]);
  }

  // A race of the part of the path that older leaves share, whose reversal could only repeat
  // theirs: everything this run added to that part happens after the race's first event, so v is no
  // more than a beginning of the v that was (or will be) planned from there. With observers, only
  // where v is the same.
  bool planned_before(const Race& race, std::uint32_t attached_at) const {
    if (Reduction::observers == Observers::yes) return execution_.is_repeated(race);
    return execution_.place_of(race.second) < attached_at &&
           execution_.before_all_from(race.first, attached_at);
  }

  void reverse(const Task& task, const Race& race) {
    make_reversal(race);
    const bool exact = is_known(race);
    // Though one alternative may be covered, others need not be.
    if (has_choices(v_.back()))
      plan_.add(race.first, v_, Insertion::Last::unknown);
    else
      add_unless_covered(task, execution_.events(), race.first, exact);
  }

  // l.3. No thread continues after a step that ends the program: unless that is what the race is
  // about, it is left out, and comes later.
  void make_reversal(const Race& race) {
    reduction_.reversal(execution_, race, v_);
    if (died_ && race.second + 1 != execution_.size()) leave_out_death(race);
    // All alternatives that there are follow, one after the other. So do those of the first
    // event: that one of them sleeps through the rest says nothing about the others.
    if (has_choices(v_.back())) v_.back().move.alternative = 0;
    if (!has_choices(execution_.event(race.first))) return;
    v_.push_back(execution_.event(race.first));
    v_.back().move.alternative = 0;
  }

  void leave_out_death(const Race& race) {
    const std::span<const Event> events = execution_.events();
    const ThreadId thread = events.back().move.thread;
    const auto is_of_thread = [&](const Event& e) { return e.move.thread == thread; };
    // Its events after the first of the race: either all of them are in v, or not the last.
    const auto own = std::ranges::count_if(events.subspan(race.first + 1), is_of_thread);
    if (std::ranges::count_if(v_, is_of_thread) < own) return;
    const auto last = std::find_if(v_.rbegin(), v_.rend(), is_of_thread);
    if (last != v_.rend() && last != v_.rbegin()) v_.erase(last.base() - 1);
  }

  // Whether it is known what the last event of v does in its new place. If it can be told, it is.
  bool is_known(const Race& race) {
    Event& last = v_.back();
    const Varies varies = footprints_.varies(last.footprint);
    if (varies != Varies::mode || race.observed) return varies == Varies::no;
    const Trail trail{execution_.events().first(race.first), {}, v_};
    const auto use = use_in_place_of(footprints_, execution_.event(race.first), last, trail,
                                     race.first + v_.size() - 1);
    if (!use) return false;
    if (*use == footprints_.accesses(last.footprint)[0]) return true;
    const auto there = uses_.with_use(last, *use);
    if (there) last = *there;
    return there.has_value();
  }

  // l.4. Plans v, in the place of the at-th of the events.
  void add_unless_covered(const Task& task, std::span<const Event> events, std::size_t at,
                          bool exact) {
    const Answer answer = is_covered(task, {{events.first(at), {}, v_}, exact});
    if (answer == Answer::yes) return;
    const auto known = exact ? Insertion::Last::exact : Insertion::Last::assumed;
    plan_.add(static_cast<std::uint32_t>(at), v_,
              answer == Answer::unknown ? Insertion::Last::unknown : known);
  }

  Answer is_covered(const Task& task, const Candidate& candidate) const {
    const std::size_t at = candidate.trail.path.size();
    for (Sleeper sleeper : asleep_before(at)) {
      const Answer answer = sleeps_through(reduction_, footprints_, sleeper, candidate);
      if (answer != Answer::no) return answer;
    }
    if (at >= task.path.size()) return Answer::no;
    const auto ask_branch = [&](const Event& head) {
      Sleeper sleeper = Sleeper::of(head, static_cast<std::uint32_t>(at));
      return sleeps_through(reduction_, footprints_, sleeper, candidate);
    };
    for (const Event& left : task.left_of(at))
      if (const Answer answer = ask_branch(left); answer != Answer::no) return answer;
    // The race was that of one alternative: with another, its first event may not be a part of it.
    return has_choices(v_.back()) ? ask_branch(task.path[at]) : Answer::no;
  }

  bool has_choices(const Event& event) const {
    return footprints_.varies(event.footprint) == Varies::choices;
  }
  bool has_more_choices(const Event& event) const {
    return has_choices(event) && event.alternatives != 1;
  }

  const Footprints& footprints_;
  Uses& uses_;
  Reduction reduction_;
  Execution execution_;
  std::size_t ordered_ = 0;
  std::vector<Sleeper> sleepers_;
  std::vector<std::size_t> sleepers_at_ = {0, 0};
  std::size_t slept_ = 0;
  std::vector<Event> v_;  // the current reversal
  std::vector<Event> next_;
  bool died_ = false;  // the run that is being planned
  Plan plan_;
};

}  // namespace heddle
