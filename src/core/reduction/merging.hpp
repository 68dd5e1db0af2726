// State merging: context sensitivity that loses nothing, on whole runs in any order.
//
//   Node s: one path to it; planned (moves, in order); asleep (moves); edges; incoming; summary
//   l.1  take some planned (u, p), p awake and not run; run path(u).p and on, making only moves
//   that
//        are awake, until the state is known or the end
//   l.2  for each new event e, u -e-> s: link them; asleep(s) := passed(u, e), or, if s was known,
//        wake(s, passed(u, e)), and stop there
//   l.3      learn(u, {e}); and, if s was known, for each c of summary(s): learn(u, carry(e, c))
//   l.4      if no move, or none that is awake, can be made, or only a time-out: for each thread
//   that
//            waits, learn(s, {its step})
//   l.5  learn(u, c): unless summary(u) has c: add it; for each t -e-> u: learn(t, carry(e, c))
//   l.6  carry(e, c), at u -e-> s, c of summary(s), l its last event:
//   l.7      if e conflicts with l and with no other event of c, and the two can be exchanged:
//   unless
//            a first event of c is planned at u, plan one: one that sleeps, if there is one (it is
//            not run unless it wakes), else any
//   l.8      if e conflicts with nothing of c: c. If e hides l (whatever conflicts with l conflicts
//            with e), or is a time-out: nothing. Else: e.c
//   l.9  passed(u, p): those of asleep(u), and those planned at u before p, that commute with p,
//   and
//        whose accesses do not depend on data
//   l.10 wake(s, Z): asleep(s) := asleep(s) and Z; what is planned and no longer sleeps becomes the
//        first of planned(s), and is run; if nothing awake is planned, plan one that woke; then
//        wake(t, passed(s, p)) for all edges s -p-> t
//
// The published context-sensitive algorithms cut a run where its state is known and forget that the
// runs not taken would have raced with the events before the cut. Here each state has a summary:
// for each event that can follow, its *configuration*, that event and what has to come before it.
// It flows backwards over edges as soon as either is new, and a race is reversed at the edge of its
// first event. So nothing hangs on the order of runs, many can be in flight, and a run may end in a
// state that is not explored yet.
//
// Data races are judged in the same way, from which plain accesses can follow a state: plain.hpp.
//
// l.1 and l.4 are here; l.2, l.3, l.5, l.9 and l.10 in state_graph.cpp; l.6 to l.8 in
// configurations.cpp. Why it loses nothing is in docs/soundness.md.
#pragma once

#include "core/result.hpp"
#include "model/runner.hpp"

namespace heddle {

// Complete for final states. REQUIRES: the runner has digests.
Result explore_merging(Runner& runner, const ExploreOptions& options);

}  // namespace heddle
