// Single programs: the papers' running example, and the smallest ones known to go wrong.
#include "interp/builder.hpp"
#include "interp/families.hpp"

namespace heddle::interp {
namespace {

using enum Compare;

// Albert et al. 2023, figure 1. 30 interleavings, 12 traces, 11 with observers; 6 executions with
// the published context sensitivity, 4 with both.
Program running_example(int) {
  Builder b("running-example");
  const Place x = b.memory("x"), y = b.memory("y");
  b.thread("p").write(y, 1).write(x, 1);
  b.thread("q").write(x, 2);
  ThreadBuilder r = b.thread("r");
  const Reg first = r.reg(), second = r.reg();
  r.check(first, x, lt, 3).check(second, x, lt, 2);
  return b.build();
}

// Three traces: one lets p go first, one q, and in one each waits for the other.
Program two_lock_deadlock(int) {
  Builder b("two-lock-deadlock");
  const Place m = b.mutex("m"), n = b.mutex("n");
  b.thread("p").lock(m).lock(n).unlock(n).unlock(m);
  b.thread("q").lock(n).lock(m).unlock(m).unlock(n);
  return b.build();
}

// Of the published context-sensitive algorithms, each loses an outcome of one of these programs if
// the threads are tried in this order. They are the smallest such programs found by comparison with
// brute force.

// Albert et al. 2017, algorithm 1, never reaches a = 1, y = 1: r, then q, then p.
Program counterexample_2017(int) {
  Builder b("counterexample-2017");
  const Place x = b.memory("x"), y = b.memory("y");
  ThreadBuilder p = b.thread("p");
  const Reg p_a = p.reg(), p_b = p.reg();
  p.read(p_a, y).check(p_b, x, le, 0);
  b.thread("q").write(x, 0).write(y, 1);
  b.thread("r").write(y, 0);
  return b.build();
}

// Albert et al. 2023, algorithm 1, never reaches a = 2, b = 0, x = 2.
Program counterexample_2023_context(int) {
  Builder b("counterexample-2023-context");
  const Place x = b.memory("x");
  ThreadBuilder p = b.thread("p");
  p.read(p.reg(), x);
  b.thread("q").write(x, 2);
  ThreadBuilder r = b.thread("r");
  r.write(x, 0).read(r.reg(), x);
  return b.build();
}

// Albert et al. 2023, algorithm 2, never observes l = 0.
Program counterexample_2023_observers(int) {
  Builder b("counterexample-2023-observers");
  const Place x = b.memory("x");
  b.thread("p").write(x, 0);
  ThreadBuilder q = b.thread("q");
  const Reg a = q.reg(), l = q.reg();
  q.write(x, 1).check(a, x, le, 2).read(l, x);
  return b.build();
}

constexpr Family rows[] = {
    {"running-example", "two writers and two assertions (Albert et al. 2023, figure 1)", 0, 0, 0,
     running_example, false},
    {"two-lock-deadlock", "two threads that take two mutexes in opposite order", 0, 0, 0,
     two_lock_deadlock, false},
    {"counterexample-2017", "of which context-sensitive DPOR of 2017 loses an outcome", 0, 0, 0,
     counterexample_2017, false},
    {"counterexample-2023-context", "of which optimal context-sensitive DPOR loses an outcome", 0,
     0, 0, counterexample_2023_context, false},
    {"counterexample-2023-observers", "of which the same with observers loses an outcome", 0, 0, 0,
     counterexample_2023_observers, false},
};

}  // namespace

std::span<const Family> example_families() { return rows; }

}  // namespace heddle::interp
