// State merging: context sensitivity that loses nothing.
//
//   l.1  Visit(E)
//   l.2    if no thread can continue: what waits is in the summary, and its races are reversed
//   l.3    if the state after E is known: stop, and for each c of its summary:
//   l.4        reverse the races of c's last event with events of E
//   l.5    else backtrack(E) := {some enabled p}; for each p in backtrack(E), while it grows:
//   l.6        reverse the races of p's step with events of E
//   l.7        (below, live_below) := Visit(E.p)
//   l.8        summary += p; and, for each c of below, p.c if p happens before c's last event, else
//   c,
//              unless some earlier event of it hides its last. A time-out is in no race and
//              hides all that follows
//   l.9        live += what p reads, and what is in live_below and not written by p
//   l.10   keep (summary, live) for the state after E
//
//   Reversing a race e, e' of E: unless some initial of notdep(e).e' is in backtrack(pre(E, e)),
//   add one.
//
// The published context-sensitive algorithms cut a run where its state is known and forget that the
// runs not taken would have raced with the events before the cut. Here each explored state keeps a
// summary: for each event that can follow, the events after the state that happen before it. The
// merge replays the races from it. An event c hides a later one if whatever races with the later
// from before c races with c already.
//
// `live` are the locations that some continuation reads before writing them. Modulo dead memory,
// two states merge that differ only elsewhere: no thread will see the difference.
#pragma once

#include "core/machine.hpp"
#include "core/result.hpp"

namespace heddle {

// Modulo dead memory: complete for what threads observe.
Result explore_merging_live(Machine& machine, const ExploreOptions& options);

}  // namespace heddle
