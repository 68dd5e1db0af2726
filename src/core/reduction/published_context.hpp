// Context-Sensitive DPOR as published (Albert, Arenas, García de la Banda, Gómez-Zamalloa, Stuckey
// 2017, algorithm 1, without its optimisations). It LOSES BEHAVIOURS: see docs/soundness.md. It
// exists to reproduce published counts.
//
//   l.1  Explore(E, Sleep)
//   l.2    sleep(E) := Sleep
//   l.3    if some p in enabled(E), p not in sleep(E):
//   l.4      backtrack(E) := {p}
//   l.5      while some p in backtrack(E), p not in sleep(E):
//   l.6        for each e of E in a reversible race with the next step of p:
//   l.7          E' := pre(E, e)
//   l.8          v := notdep(e, E).p
//   l.9          if no initial of v after E' is in backtrack(E'):
//   l.10           add one
//   l.11         u := e and the events of E after it that it happens before
//   l.12         if no w in sleep(E') is a prefix of v.u:
//   l.13           if the state after E.p equals that after E'.v.u:
//   l.14             add v.u to sleep(E')
//   l.15       Sleep' := {v in sleep(E): p and all of v are independent after E}
//   l.16                 and {v: p.v in sleep(E)}
//   l.17       Explore(E.p, Sleep')
//   l.18       add p to sleep(E)
#pragma once

#include "core/machine.hpp"
#include "core/result.hpp"

namespace heddle {

Result explore_published_context(Machine& machine, const ExploreOptions& options);

}  // namespace heddle
