// Optimal-DPOR with observers (Aronis, Jonsson, Lång, Sagonas 2018), in any order.
//
// As optimal.hpp, but two writes of one location, and two sends to one mailbox, are ordered only if
// an event sees the difference. Two things change:
//
//   l.3a     if the race is observed, with O the first events that see it, o the last of O:
//   l.3b         v := notdep(e, E) . e' . e . notobs(e, e', E) . o
//            where notobs are the events after e that are not e', not in O, nor after any of O
//   l.3c     else v := notdep(e, E).e'
//
// and what sleeps. Whether a write conflicts with an earlier one may turn out only later, so a
// sleeper can be in doubt: see Sleeper::State and advance. (The paper keeps no sleep sets and
// tests every branch left of the path against all of the path followed by v. It is the same test,
// carried along the path.)
#pragma once

#include <vector>

#include "core/execution.hpp"
#include "core/result.hpp"
#include "core/sleeper.hpp"
#include "model/runner.hpp"

namespace heddle {

class WithObservers {
 public:
  static constexpr Observers observers = Observers::yes;

  explicit WithObservers(const Footprints& footprints) : footprints_(footprints) {}

  // l.3a to l.3c
  void reversal(const Execution& execution, const Race& race, std::vector<Event>& v);

  // Writes and sends: whether they were awake may turn out only after they moved.
  bool can_be_pledged(const Sleeper& sleeper) const {
    const Mode mode = footprints_.first_mode(sleeper.footprint);
    return mode == Mode::write || mode == Mode::send;
  }

  // What the sleeper makes of this event, the at-th of the trail.
  void advance(Sleeper& sleeper, const Event& event, const Trail& trail, std::uint32_t at) const {
    const Mode mode = footprints_.first_mode(sleeper.footprint);
    if (mode == Mode::write)
      advance_write(sleeper, footprints_.accesses(sleeper.footprint)[0], event);
    else if (mode == Mode::send)
      advance_send(sleeper, footprints_.accesses(sleeper.footprint)[0], event, trail, at);
    else
      advance_plainly(footprints_, sleeper, event, trail, at);
  }

 private:
  void advance_write(Sleeper& sleeper, const Access& write, const Event& event) const;
  bool refused_before(const Access& receive, const Sleeper& sleeper, const Trail& trail,
                      std::uint32_t at) const;
  void advance_send(Sleeper& sleeper, const Access& send, const Event& event, const Trail& trail,
                    std::uint32_t at) const;

  const Footprints& footprints_;
  std::vector<std::uint32_t> seen_by_;
};

Result explore_observers(Runner& runner, const ExploreOptions& options);

}  // namespace heddle
