#include "core/cube_count.hpp"

#include <algorithm>

namespace heddle {

CubeCount::CubeCount(const Footprints& footprints, const Cube& cube, Counted counted,
                     Observers observers)
    : footprints_(footprints), cube_(cube), counted_(counted), observers_(observers) {
  if (counted == Counted::state) return;
  for (std::size_t n = 0; n < cube.waits.size(); ++n)
    if (const Wait& w = cube.waits[n]; w.ordered)
      pairs_.push_back({number_of(w.first), number_of(w.second), n});
}

std::size_t CubeCount::number_of(StepName step) {
  const auto known = std::ranges::find(named_, step, &Named::step);
  if (known != named_.end()) return static_cast<std::size_t>(known - named_.begin());
  if (step.thread >= of_thread_.size()) of_thread_.resize(step.thread + std::size_t{1});
  of_thread_[step.thread].push_back(named_.size());
  named_.push_back({step, nowhere});
  return named_.size() - 1;
}

// Where the steps are in this run that the cube names.
void CubeCount::find(std::span<const Event> events) {
  for (Named& n : named_) n.place = nowhere;
  taken_.assign(of_thread_.size(), 0);
  for (std::size_t k = 0; k < events.size(); ++k) {
    const ThreadId thread = events[k].move.thread;
    if (thread >= of_thread_.size()) continue;
    for (const std::size_t n : of_thread_[thread])
      if (named_[n].step.index == taken_[thread]) named_[n].place = k;
    ++taken_[thread];
  }
}

bool CubeCount::counts(const Log& log) {
  if (log.ending == Ending::held) return false;
  if (pairs_.empty()) return true;
  find(log.events);
  return std::ranges::all_of(pairs_, [&](const Pair& p) {
    const std::size_t first = named_[p.first].place, second = named_[p.second].place;
    if (first == nowhere) return false;
    return second == nowhere || is_ordered(log.events, first, second, p.earlier);
  });
}

bool CubeCount::is_ordered(std::span<const Event> events, std::size_t first, std::size_t second,
                           std::size_t earlier_waits) const {
  if (counted_ == Counted::schedule) return first < second;
  // Mostly they depend on each other directly, whatever else happens.
  for (const Access& a : footprints_.accesses(events[first].footprint))
    for (const Access& b : footprints_.accesses(events[second].footprint)) {
      const Relation r = footprints_.dependence().relation(a, b);
      if (r != Relation::none && (r != Relation::observed || observers_ == Observers::no))
        return true;
    }
  return Order(footprints_, events, observers_, std::span(cube_.waits).first(earlier_waits))
      .before(first, second);
}

}  // namespace heddle
