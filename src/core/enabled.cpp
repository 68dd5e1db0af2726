// Symbolic enabledness: whether a step that can wait would be enabled after some events, told
// from their accesses of the object it waits for.
#include <algorithm>

#include "core/holders.hpp"
#include "core/order.hpp"

namespace heddle {

void apply(const Footprints& footprints, const Event& event, Location condition,
           ConditionState& state) {
  if (footprints.times_out(event.footprint)) return state.give_up(event.move.thread);
  for (const Access& a : footprints.accesses(event.footprint))
    if (a.location == condition) state.apply(event.move.thread, a);
}

bool enabled_after(const Footprints& footprints, std::span<const Event> events,
                   const Event& waiting) {
  const Access* wanted = footprints.blocking(waiting.footprint);
  if (wanted == nullptr) return true;
  const ObjectClass kind = class_of(wanted->mode);
  if (kind == ObjectClass::condition) {
    ConditionState state;
    for (const Event& e : events) apply(footprints, e, wanted->location, state);
    return state.can_wake(waiting.move.thread);
  }
  Holders held;
  held.tokens = static_cast<long>(kind == ObjectClass::semaphore ? wanted->a : 0);
  for (const Event& e : events)
    for (const Access& a : footprints.accesses(e.footprint))
      if (a.location == wanted->location) held.apply(a);
  return held.let(wanted->mode);
}

std::vector<std::size_t> readers_in_the_way(const Footprints& footprints,
                                            std::span<const Event> events, const Event& waiting) {
  const Access* wanted = footprints.blocking(waiting.footprint);
  std::vector<std::size_t> held;
  if (wanted == nullptr || wanted->mode != Mode::write_lock) return held;
  for (std::size_t k = 0; k < events.size(); ++k)
    for (const Access& a : footprints.accesses(events[k].footprint)) {
      if (a.location != wanted->location) continue;
      if (a.mode == Mode::read_lock || a.mode == Mode::try_read_lock) held.push_back(k);
      if (a.mode != Mode::read_unlock) continue;
      const auto own = std::find_if(held.rbegin(), held.rend(), [&](std::size_t h) {
        return events[h].move.thread == events[k].move.thread;
      });
      if (own != held.rend()) held.erase(std::next(own).base());
    }
  return held;
}

}  // namespace heddle
