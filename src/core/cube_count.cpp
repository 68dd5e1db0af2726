#include "core/cube_count.hpp"

#include <optional>

namespace heddle {
namespace {

std::optional<std::size_t> place_of(StepName step, std::span<const Event> events) {
  std::uint32_t index = 0;
  for (std::size_t k = 0; k < events.size(); ++k)
    if (events[k].move.thread == step.thread && index++ == step.index) return k;
  return {};
}

}  // namespace

bool CubeCount::counts(const Log& log) const {
  if (log.ending == Ending::held) return false;
  for (std::size_t n = 0; n < cube_.waits.size(); ++n) {
    const Wait& w = cube_.waits[n];
    if (!w.ordered || counted_ == Counted::state) continue;
    const auto first = place_of(w.first, log.events);
    if (!first) return false;
    const auto second = place_of(w.second, log.events);
    if (second && !is_ordered(log.events, *first, *second, n)) return false;
  }
  return true;
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
