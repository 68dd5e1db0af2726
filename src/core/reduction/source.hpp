// Source-DPOR with sleep sets (Abdulla, Aronis, Jonsson, Sagonas 2014).
//
//   l.1  Explore(E, Sleep)
//   l.2    if some p in enabled(E) \ Sleep:
//   l.3      backtrack(E) := {p}
//   l.4      while some p in backtrack(E) \ Sleep:
//   l.5        for each e of E in a reversible race with the next step of p:
//   l.6          E' := pre(E, e); v := notdep(e, E).p
//   l.7          if no initial of v after E' is in backtrack(E'): add one
//   l.8        Explore(E.p, {q in Sleep: p and q are independent after E})
//   l.9        add p to Sleep
//
// Deviations. (1) A thread that waits when all else has ended, or sleeps, or when a thread times
// out, takes part in l.5 as if its step were next: it may have been excluded by a step it could
// have come before. (2) A data choice is planned with all its alternatives. (3) Source sets need
// that a dependence does not vanish when independent steps come between. It does where the accesses
// of a step depend on data it reads; so such a step counts as making all accesses ever seen at its
// place in the program, and when a new one turns up exploration starts over.
#pragma once

#include "core/machine.hpp"
#include "core/result.hpp"

namespace heddle {

Result explore_source(Machine& machine, const ExploreOptions& options);

}  // namespace heddle
