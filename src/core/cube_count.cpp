#include "core/cube_count.hpp"

#include <algorithm>

namespace heddle {
namespace {

bool takes_mutex(Mode mode) { return mode == Mode::lock || mode == Mode::try_lock; }

}  // namespace

CubeCount::CubeCount(const Footprints& footprints, std::size_t threads, const Cube& cube,
                     Counted counted, Observers observers)
    : footprints_(footprints),
      threads_(threads),
      cube_(cube),
      counted_(counted),
      observers_(observers) {
  if (counted == Counted::state) return;
  for (std::size_t n = 0; n < cube.waits.size(); ++n)
    if (const Wait& w = cube.waits[n]; w.ordered)
      pairs_.push_back({number_of(w.first), number_of(w.second), n});
}

std::size_t CubeCount::number_of(StepName step) {
  const auto known = std::ranges::find(named_, step, &Named::step);
  if (known != named_.end()) return static_cast<std::size_t>(known - named_.begin());
  if (step.thread >= of_thread_.size()) of_thread_.resize(step.thread + std::size_t{1});
  std::vector<std::size_t>& steps = of_thread_[step.thread].steps;
  const auto later =
      std::ranges::find_if(steps, [&](std::size_t n) { return named_[n].step.index > step.index; });
  steps.insert(later, named_.size());
  named_.push_back({step, nowhere});
  return named_.size() - 1;
}

// Where the steps are in this run that the cube names.
void CubeCount::find(std::span<const Event> events) {
  for (Named& n : named_) n.place = nowhere;
  for (OfThread& t : of_thread_) {
    t.taken = 0;
    t.found = 0;
    t.next = t.steps.empty() ? never : named_[t.steps[0]].step.index;
  }
  std::size_t missing = named_.size();
  for (std::size_t k = 0; k < events.size() && missing != 0; ++k) {
    if (events[k].move.thread >= of_thread_.size()) continue;
    OfThread& t = of_thread_[events[k].move.thread];
    if (t.taken++ != t.next) continue;
    named_[t.steps[t.found++]].place = k;
    t.next = t.found == t.steps.size() ? never : named_[t.steps[t.found]].step.index;
    --missing;
  }
}

bool CubeCount::counts(const Log& log) {
  if (log.ending == Ending::held) return false;
  if (pairs_.empty()) return true;
  find(log.events);
  return std::ranges::all_of(pairs_, [&](Pair& p) {
    if (named_[p.first].place == nowhere) return false;
    return named_[p.second].place == nowhere || is_ordered(log.events, p);
  });
}

// Of two that take a mutex, the second comes after the first has released it, which orders them.
bool CubeCount::are_dependent(const Event& first, const Event& second) const {
  for (const Access& a : footprints_.accesses(first.footprint))
    for (const Access& b : footprints_.accesses(second.footprint)) {
      if (a.location == b.location && takes_mutex(a.mode) && takes_mutex(b.mode)) return true;
      const Relation r = footprints_.dependence().relation(a, b);
      if (r != Relation::none && (r != Relation::observed || observers_ == Observers::no))
        return true;
    }
  return false;
}

bool CubeCount::is_ordered(std::span<const Event> events, Pair& pair) const {
  const std::size_t first = named_[pair.first].place, second = named_[pair.second].place;
  if (counted_ == Counted::schedule) return first < second;
  // Mostly they depend on each other directly, whatever else happens.
  if (are_dependent(events[first], events[second])) return true;
  if (!pair.split)
    pair.split = std::make_unique<Execution>(footprints_, threads_, observers_,
                                             std::span(cube_.waits).first(pair.earlier));
  // What comes later orders two events only if it is an observer of theirs.
  if (observers_ == Observers::no) events = events.first(second + 1);
  const std::span<const Event> before = pair.split->events();
  const auto shared = std::ranges::mismatch(events, before).in1 - events.begin();
  pair.split->assign(events, {}, static_cast<std::size_t>(shared));
  return pair.split->before(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second));
}

}  // namespace heddle
