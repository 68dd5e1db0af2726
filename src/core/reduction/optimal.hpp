// Optimal-DPOR (Abdulla, Aronis, Jonsson, Sagonas 2014), in any order.
//
//   l.1  take some planned leaf; run it, and on to the end of the program: E
//   l.2  for each reversible race e, e' of E:
//   l.3      v := notdep(e, E).e'
//   l.4      unless a branch left of the path to pre(E, e), or left of e there, sleeps through v:
//   l.5          from pre(E, e), among the branches right of e, then among all:
//   l.6              go down into the leftmost that sleeps through v, taking its step out of v;
//   l.7              stop, covered, at a node that was inserted as a leaf
//   l.8          where there is none, add v as a new path and plan its leaf
//   l.9  until no leaf is planned
//
// The sequential algorithm runs the leftmost leaf first, drops what it has explored and calls what
// is left a wakeup tree; l.4 is its sleep set. Here explored nodes stay while something left of
// them is unfinished, an insertion walks through them as through a wakeup tree, and so leaves can
// be run and reversals inserted in any order, also while other leaves are being run. Each
// Mazurkiewicz trace is explored exactly once.
//
// l.1, l.2 and l.5 to l.9 are explorer.hpp; l.3 and the meaning of `sleeps` are here, because they
// are all that observers change.
#pragma once

#include <vector>

#include "core/execution.hpp"
#include "core/result.hpp"
#include "core/sleeper.hpp"
#include "model/runner.hpp"

namespace heddle {

class Optimal {
 public:
  static constexpr Observers observers = Observers::no;

  explicit Optimal(const Footprints& footprints) : footprints_(footprints) {}

  // l.3
  void reversal(const Execution& execution, const Race& race, std::vector<Event>& v) const;

  static constexpr bool can_be_pledged(const Sleeper&) { return false; }

  // What the sleeper makes of this event, the at-th of the trail.
  void advance(Sleeper& sleeper, const Event& event, const Trail& trail, std::uint32_t at) const {
    advance_plainly(footprints_, sleeper, event, trail, at);
  }

 private:
  const Footprints& footprints_;
};

Result explore_optimal(Runner& runner, const ExploreOptions& options);

}  // namespace heddle
