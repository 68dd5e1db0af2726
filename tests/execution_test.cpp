// The fast computation of order and races against the plain one, on random runs.
#include "core/execution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "interp/random_program.hpp"
#include "interp/runner.hpp"
#include "interp/text.hpp"

namespace heddle {
namespace {

using Events = std::vector<std::size_t>;

// A race as both have it.
struct Found {
  std::size_t first, second;
  std::size_t also;  // how many come along
  Events observers;  // empty: it is a race without observers too
  Events stays;      // what can come before the second when that comes before the first

  friend auto operator<=>(const Found&, const Found&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Found& f) {
    out << "(" << f.first << ", " << f.second << ", " << f.also << " along";
    for (const std::size_t k : f.observers) out << ", seen by " << k;
    for (const std::size_t k : f.stays) out << ", not " << k;
    return out << ")";
  }
};

// Of several events in a row that enable a step, Execution lists the last only: the others are
// races of the run in which that one is reversed.
bool let_go_again(const Footprints& f, const Order& order, std::size_t first, std::size_t second,
                  FootprintId waiting, bool observers) {
  const auto relation = [&](std::size_t k) {
    for (const Access& a : f.accesses(order.event(k).footprint))
      for (const Access& b : f.accesses(waiting))
        if (const Relation r = f.dependence().relation(a, b); r != Relation::none)
          return std::pair(r, a.mode);
    return std::pair(Relation::none, Mode::read);
  };
  const auto [first_relation, first_mode] = relation(first);
  if (first_relation != Relation::frees) return false;
  for (std::size_t k = first + 1; k < std::min(second, order.size()); ++k)
    if (order.before(first, k) && relation(k).first == Relation::frees &&
        f.dependence().stands_for(relation(k).second, first_mode, observers))
      return true;
  return false;
}

std::vector<Found> plain_races(const Footprints& footprints, const Order& order,
                               std::span<const Pending> pending, bool observers) {
  std::vector<Found> out;
  for (const Order::Race& race : order.races())
    if (!let_go_again(footprints, order, race.first, race.second,
                      order.event(race.second).footprint, observers))
      out.push_back({race.first, race.second, race.also.size(),
                     order.observers(race.first, race.second), order.notdep(race)});
  for (std::size_t k = 0; k < pending.size(); ++k) {
    const Event waiting{{pending[k].thread, 0}, pending[k].footprint, 0, 1};
    for (const Order::Race& race : order.races_of_pending(waiting, pending[k].at))
      if (!let_go_again(footprints, order, race.first, pending[k].at, waiting.footprint, observers))
        out.push_back({race.first, order.size() + k, race.also.size(), {}, order.notdep(race)});
  }
  std::ranges::sort(out);
  return out;
}

std::vector<Found> fast_races(const Execution& execution) {
  std::vector<Found> out;
  std::vector<std::uint32_t> seen_by;
  for (const Race& race : execution.races()) {
    Found f{race.first, race.second, race.also_end - race.also_begin, {}, {}};
    if (race.observed) {
      execution.observers(race, seen_by);
      EXPECT_FALSE(seen_by.empty());
      f.observers.assign(seen_by.begin(), seen_by.end());
    }
    for (std::uint32_t k = race.first + 1; k < execution.size(); ++k)
      if (execution.stays(race, k)) f.stays.push_back(k);
    out.push_back(f);
  }
  std::ranges::sort(out);
  return out;
}

// What the runs had, so that none of it is missing.
struct Seen {
  std::size_t runs = 0, races = 0, observed = 0, pending = 0, along = 0, deadlocks = 0;
  std::size_t at_time_outs = 0;  // races of steps that wait at one
  std::size_t shared = 0;        // events, with the run before
};

void compare_order(const Order& order, const Execution& execution) {
  ASSERT_EQ(execution.size(), order.size());
  for (std::uint32_t j = 0; j < order.size(); ++j) {
    EXPECT_FALSE(execution.before(j, j));
    for (std::uint32_t i = 0; i < j; ++i) {
      ASSERT_EQ(execution.before(i, j), order.before(i, j)) << i << " before " << j;
      ASSERT_FALSE(execution.before(j, i)) << j << " before " << i;
    }
  }
  for (std::uint32_t i = 0; i < order.size(); ++i)
    for (std::uint32_t from = i + 1; from <= order.size(); ++from) {
      bool all = true;
      for (std::uint32_t k = from; k < order.size(); ++k) all = all && order.before(i, k);
      ASSERT_EQ(execution.before_all_from(i, from), all) << i << ", from " << from;
    }
}

// The first `shared` events of the log are those that the execution has.
void compare(const Footprints& footprints, const Log& log, std::size_t shared, Execution& execution,
             Observers observers, Seen& seen) {
  const Order order(footprints, log.events, observers);
  execution.assign(log.events, log.pending, shared);
  compare_order(order, execution);
  const std::vector<Found> expected =
      plain_races(footprints, order, log.pending, observers == Observers::yes);
  ASSERT_EQ(fast_races(execution), expected);
  ++seen.runs;
  seen.shared += shared;
  seen.races += expected.size();
  seen.deadlocks += log.ending == Ending::deadlock ? 1 : 0;
  for (const Found& f : expected) {
    seen.observed += f.observers.empty() ? 0 : 1;
    seen.pending += f.second >= order.size() ? 1 : 0;
    seen.at_time_outs += execution.place_of(static_cast<std::uint32_t>(f.second)) < order.size() &&
                                 f.second >= order.size()
                             ? 1
                             : 0;
    seen.along += f.also != 0 ? 1 : 0;
  }
}

// The runs of one program share an Execution, as they do in an exploration, and many of them begin
// as the one before.
void compare_runs(const interp::Program& program, std::uint64_t seed, int runs, Seen& seen) {
  interp::ModelRunner runner(program);
  Execution plain(runner.footprints(), runner.thread_count(), Observers::no);
  Execution observing(runner.footprints(), runner.thread_count(), Observers::yes);
  Random random(seed);
  std::vector<Event> last;
  for (int run = 0; run < runs && !testing::Test::HasFailure(); ++run) {
    Schedule prefix;
    for (std::size_t k = random.below(last.size() + 1); k-- > 0;)
      prefix.insert(prefix.begin(), last[k].move);
    runner.submit({prefix, Request::Then::proceed, random.next() | 1, 0});
    const Log& log = runner.next();
    std::string schedule;
    for (const Event& e : log.events) schedule += " " + std::to_string(e.move.thread);
    SCOPED_TRACE("threads" + schedule + " of\n" + interp::print_program(program));
    const auto shared =
        static_cast<std::size_t>(std::ranges::mismatch(last, log.events).in1 - last.begin());
    {
      SCOPED_TRACE("without observers");
      compare(runner.footprints(), log, shared, plain, Observers::no, seen);
    }
    SCOPED_TRACE("with observers");
    compare(runner.footprints(), log, shared, observing, Observers::yes, seen);
    last.assign(log.events.begin(), log.events.end());
  }
}

TEST(Execution, HasTheOrderAndRacesOfItsDefinition) {
  Seen seen;
  for (const interp::Shape& shape : interp::shapes())
    for (std::uint64_t seed = 1; seed <= 400 && !testing::Test::HasFailure(); ++seed) {
      SCOPED_TRACE(std::string(shape.name) + ", seed " + std::to_string(seed));
      Random random(seed);
      compare_runs(shape.make(random), seed, 6, seen);
    }
  EXPECT_GT(seen.runs, 40'000U);
  EXPECT_GT(seen.races, 40'000U);
  EXPECT_GT(seen.observed, 1'000U);
  EXPECT_GT(seen.deadlocks, 1'000U);
  EXPECT_GT(seen.pending, 500U);
  EXPECT_GT(seen.at_time_outs, 100U);
  EXPECT_GT(seen.along, 20U);
  EXPECT_GT(seen.shared, 100'000U);
}

// Longer runs, in which objects have many users and stand-ins matter.
TEST(Execution, HasThemOnLongerRunsToo) {
  Seen seen;
  for (const char* text :
       {"var x\nvar y\n"
        "thread p: x = 1; $0 = y; x += 1; x += 1; $1 = x; y = 2; x = 3; $2 = fetch_add x 1\n"
        "thread q: x = 2; x = 3; $0 = x; $1 = y; x += 1; y = 1; y = 4; atomic { x = 1; y = 2 }\n"
        "thread r: $0 = x; $1 = x; y = 1; x += 2; $2 = cas x 1 5; x = 9; $3 = y; x = 4\n",
        "rwlock l\nmutex m\nsem s = 1\n"
        "thread p: read_lock l; read_lock l; lock m; read_unlock l; unlock m; read_unlock l; "
        "sem_wait s; sem_post s\n"
        "thread q: read_lock l; sem_wait s; $0 = try_lock m; sem_post s; read_unlock l; "
        "write_lock l; write_unlock l\n"
        "thread r: write_lock l; sem_post s; write_unlock l; lock m; unlock m; "
        "sem_wait s; write_lock l\n"
        "thread t: $0 = try_write_lock l; $1 = try_read_lock l; lock m; unlock m; sem_wait s\n",
        "thread p: send r 0; send r 1; send q 0; send r 0; $0 = receive *\n"
        "thread q: send r 0; $0 = receive *; send r 1; send p 0; send r 1\n"
        "thread r: $0 = receive 1; $1 = receive *; $2 = try_receive 0; $3 = receive *; "
        "$4 = receive *; $5 = receive *\n",
        "mutex m\ncond c\nvar x\n"
        "thread p: lock m; wait c m; x = 1; unlock m; signal c\n"
        "thread q: lock m; wait c m; $0 = x; unlock m; signal c\n"
        "thread r: lock m; signal c; unlock m; broadcast c; signal c\n"
        "thread t: signal c; lock m; wait c m; unlock m\n"})
    compare_runs(interp::parse_program(text), 7, 400, seen);
  EXPECT_GT(seen.observed, 300U);
  EXPECT_GT(seen.pending, 300U);
  EXPECT_GT(seen.along, 50U);
}

}  // namespace
}  // namespace heddle
