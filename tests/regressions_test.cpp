// Programs on which some algorithm once went wrong, as small as the fuzzer could make them. Every
// sound algorithm must agree with brute force on each: no outcome lost, and, of the any-order ones,
// each trace exactly once, in the leftmost and in random orders.
#include <gtest/gtest.h>

#include "interp/fuzz.hpp"
#include "interp/text.hpp"

namespace heddle::interp {
namespace {

struct Regression {
  const char* name;
  const char* program;
};

constexpr Regression regressions[] = {
    // The order in which threads began to wait is no part of the state.
    {"two_waiters",
     "mutex m\nmutex n\ncond c\nthread p: lock m; wait c m\nthread q: lock n; wait c n\n"},
    // A wake could have gone before the broadcast because of a signal that came later in the run.
    {"signal_after_the_wake",
     "mutex n\ncond c\nthread p: lock n; wait c n\nthread q: broadcast c\nthread r: signal c\n"},
    // Woken by a broadcast, it could have taken the token that another took before.
    {"token_taken_by_another",
     "mutex m\nmutex n\ncond c\nthread p: signal c\nthread q: lock n; wait c n; broadcast c\n"
     "thread r: lock m; wait c m\n"},
    // Which of a signal and a broadcast woke decides what else is ordered.
    {"signal_or_broadcast",
     "mutex m\ncond c\nthread p: lock m; signal c; unlock m\nthread q: lock m; wait c m\n"
     "thread r: broadcast c\n"},
    {"signal_behind_a_broadcast",
     "var x\nmutex m\ncond c\nthread p: x = 1; broadcast c\nthread q: lock m; wait c m; $3 = x\n"
     "thread r: signal c\n"},
    // Arrivals commute pairwise, but only two of four fit into a generation.
    {"four_at_a_barrier_for_two",
     "barrier b = 2\nthread p: barrier b\nthread q: barrier b\nthread r: barrier b\n"
     "thread s: barrier b\n"},
    // Arrivals that an insertion has walked past count too.
    {"barrier_below_writes",
     "var x\nbarrier b = 2\nthread p: x = 0; barrier b\nthread q: barrier b; $2 = x\n"
     "thread r: x = 0; barrier b\n"},
    // Before the last of two nested read locks, a writer would still wait.
    {"nested_read_locks",
     "rwlock l\nthread p: $1 = try_read_lock l; read_lock l\nthread q: write_lock l\n"},
    // A writer goes before both readers or before none.
    {"two_readers_in_the_way",
     "rwlock l\nthread p: read_lock l\nthread q: read_lock l\nthread r: write_lock l\n"},
    {"two_tries_in_the_way",
     "rwlock l\nthread p: write_lock l\nthread q: $1 = try_read_lock l\n"
     "thread s: $1 = try_read_lock l\n"},
    // Which threads hold a lock for reading is part of the state.
    {"who_holds_a_read_lock",
     "rwlock l\nvar x\nthread p: try_read_lock l; $0 = x; read_unlock l\n"
     "thread q: try_read_lock l; x = 1; read_unlock l\nthread r: write_lock l; write_unlock l\n"},
    // The first receive that takes either of two sends decides whether their order shows.
    {"sends_of_which_one_is_taken_first",
     "thread p: $1 = receive 0; $2 = receive 0,1\nthread q: send p 0\nthread r: send p 1\n"},
    {"tries_to_receive",
     "thread p: $2 = try_receive 0; $3 = try_receive 0,1\nthread q: send p 1\n"
     "thread r: send p 0\n"},
    // A thread that waits in a run given up because all else sleeps has races all the same.
    {"waiting_among_sleepers",
     "var x\nsem s\nthread p: x = 0\nthread q: sem_post s; sem_wait s\n"
     "thread r: sem_wait s; x = 1\n"},
};

class Regressions : public testing::TestWithParam<Regression> {};

TEST_P(Regressions, EverySoundAlgorithmAgreesWithBruteForce) {
  const Program program = parse_program(GetParam().program);
  Judge judge(program, Dependence::standard());
  ASSERT_TRUE(judge.usable());
  for (const Algorithm& algorithm : algorithms()) {
    if (!algorithm.sound) continue;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Counts counts;
      const auto failure = judge.check(algorithm, seed, counts);
      ASSERT_FALSE(failure.has_value()) << algorithm.name << " " << failure->what;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Found, Regressions, testing::ValuesIn(regressions),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace heddle::interp
