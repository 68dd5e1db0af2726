// Optimal Context-Sensitive DPOR, plain and with observers, as published (Albert, García de la
// Banda, Gómez-Zamalloa, Isabel, Stuckey 2023, algorithms 1 and 2). They LOSE BEHAVIOURS: see
// docs/soundness.md. They exist to reproduce published counts.
//
//   l.1   Explore(E, WuT, Dnd)
//   l.2     dnd(E) := Dnd; done(E) := {}
//   l.3     if nothing is enabled: RaceDetection(E)
//   l.4     else if WuT is not empty: wut(E) := WuT
//   l.5     else if everything enabled is in dnd(E): RaceDetection(E.p) for each such p
//   l.6     else wut(E) := {p}, for some enabled p not in dnd(E)
//   l.7     while some p, the leftmost, in wut(E):
//   l.8       if p in dnd(E): RaceDetection(E.p)
//   l.9       else Explore(E.p, subtree(wut(E), p), Dnd') where Dnd' has
//   l.10          the v of dnd(E) without p that are independent of p after E,
//   l.11          and u.v for each u.p.v of dnd(E) where p is independent of u
//   l.12      add p to done(E); remove it from wut(E)
//   l.13  RaceDetection(E): for each reversible race e, e' of E:
//   l.14    E' := pre(E, e)
//   l.15    if it is observed, by O with last o: v := notdep(e).e'.e.notobs(e, e').o
//   l.16      if each o' of O sees the same after E'.v.(O \ o), up to o: dont := v.(O \ o)
//   l.17    else v := notdep(e).e'
//   l.18      if the states after the race and after its reversal are equal: dont := v.e
//   l.19    if v is not redundant after E': insert v into wut(E'); add dont to dnd(E')
//
// Deviation: notdep is that of 2014 and 2018, not the shorter sequence of section 3.3, which loses
// traces of its own where accesses depend on data.
#pragma once

#include "core/machine.hpp"
#include "core/result.hpp"

namespace heddle {

Result explore_published_optimal_context(Machine& machine, const ExploreOptions& options);
Result explore_published_optimal_context_observers(Machine& machine, const ExploreOptions& options);

}  // namespace heddle
