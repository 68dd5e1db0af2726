// The relation table and footprints: that they say what the semantics do, pair by pair.
#include "model/dependence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "core/order.hpp"
#include "interp/machine.hpp"
#include "interp/oracle.hpp"
#include "interp/random_program.hpp"
#include "model/footprint.hpp"

namespace heddle {
namespace {

using enum Mode;

const Dependence& table = Dependence::standard();

std::vector<Mode> modes() {
  std::vector<Mode> all;
  for (std::size_t m = 0; m < mode_count; ++m) all.push_back(static_cast<Mode>(m));
  return all;
}

bool one_class(Mode x, Mode y) { return class_of(x) == class_of(y); }

std::string names(Mode x, Mode y) {
  return std::string(name_of(x)) + ", then " + std::string(name_of(y));
}

Access access(Mode mode, std::uint64_t a = 0, std::uint64_t b = 0, Location location = 0) {
  return {location, mode, {}, a, b};
}

// For every pair of modes of one class.
template <typename F>
void for_each_pair(F f) {
  for (const Mode x : modes())
    for (const Mode y : modes())
      if (one_class(x, y)) f(x, y, table.by_mode(x, y));
}

TEST(Dependence, ModesHaveNamesOfTheirOwn) {
  std::set<std::string_view> all;
  for (const Mode m : modes()) all.insert(name_of(m));
  EXPECT_EQ(all.size(), mode_count);
  EXPECT_EQ(name_of(try_receive_none), "try_receive_none");
}

// One-directional are only those of which the other order cannot be.
TEST(Dependence, IsSymmetricButForWhatHasOneOrderOnly) {
  std::set<std::pair<Mode, Mode>> one_way;
  for_each_pair([&](Mode x, Mode y, Relation r) {
    if (r != Relation::none && table.by_mode(y, x) == Relation::none) one_way.insert({x, y});
  });
  const std::set<std::pair<Mode, Mode>> expected = {
      {signal, wake},  {signal, wake_all}, {broadcast, wake_all}, {wake, wake_all},
      {arrive, leave}, {send, receive},    {send, try_receive}};
  EXPECT_EQ(one_way, expected);
}

TEST(Dependence, WhatWaitsIsNeverTheSecondOfAPlainRace) {
  for_each_pair([&](Mode x, Mode y, Relation r) {
    if (blocks(y))
      EXPECT_TRUE(r != Relation::race && r != Relation::observed) << names(x, y);
    else
      EXPECT_TRUE(r != Relation::frees && r != Relation::excludes) << names(x, y);
  });
}

TEST(Dependence, OnlyPureWritesAndSendsAreObserved) {
  for_each_pair([&](Mode x, Mode y, Relation r) {
    const bool both = x == y && (x == write || x == send);
    EXPECT_EQ(r == Relation::observed, both) << names(x, y);
  });
}

TEST(Dependence, WhatDoesNotCommuteWithItsLike) {
  std::string conflicting;
  for (const Mode m : modes())
    if (table.by_mode(m, m) != Relation::none) conflicting += std::string(name_of(m)) + " ";
  EXPECT_EQ(conflicting,
            "write write_in_block update free lock try_lock write_lock try_write_lock signal "
            "broadcast wake sem_wait sem_try_wait arrive send ");
}

TEST(Dependence, MemoryConflictsUnlessNobodyWrites) {
  for (const Mode x : {read, write, write_in_block, update, add, alloc, free})
    for (const Mode y : {read, write, write_in_block, update, add, alloc, free}) {
      const bool same = x == y && (x == read || x == add || x == alloc);
      EXPECT_EQ(table.by_mode(x, y) == Relation::none, same) << names(x, y);
    }
}

TEST(Dependence, ALockRacesWithTheLockAndNotTheUnlock) {
  EXPECT_EQ(table.by_mode(lock, lock), Relation::excludes);
  EXPECT_EQ(table.by_mode(unlock, lock), Relation::enables);
  EXPECT_EQ(table.by_mode(try_lock_fail, lock), Relation::enables);
  EXPECT_EQ(table.by_mode(lock, try_lock_fail), Relation::race);
  EXPECT_EQ(table.by_mode(unlock, try_lock_fail), Relation::race);
  EXPECT_EQ(table.by_mode(write_unlock, read_lock), Relation::enables);
  EXPECT_EQ(table.by_mode(write_lock, read_lock), Relation::excludes);
  EXPECT_EQ(table.by_mode(try_write_lock_fail, read_lock), Relation::frees);
  EXPECT_EQ(table.by_mode(sem_post, sem_wait), Relation::frees);
  EXPECT_EQ(table.by_mode(signal, wake), Relation::enables);
  EXPECT_EQ(table.by_mode(wake, signal), Relation::none);
  EXPECT_EQ(table.by_mode(wake, wake_all), Relation::excludes);
  EXPECT_EQ(table.by_mode(wake_all, wake), Relation::none);
}

TEST(Dependence, OtherObjectsAreIndependent) {
  for (const Mode x : modes())
    for (const Mode y : modes()) {
      EXPECT_EQ(table.relation(access(x, 7, 1, 1), access(y, 7, 1, 2)), Relation::none);
      EXPECT_FALSE(table.dependent(access(x, 7, 1, 1), access(y, 7, 1, 2)));
    }
}

TEST(Dependence, DetailsDecideOfConditionsBarriersAndMailboxesOnly) {
  for_each_pair([&](Mode x, Mode y, Relation r) {
    const ObjectClass kind = class_of(x);
    if (kind == ObjectClass::barrier || kind == ObjectClass::mailbox) return;
    if (kind == ObjectClass::condition && x != wait && y != wait) return;
    EXPECT_FALSE(Dependence::detailed(x, y)) << names(x, y);
    EXPECT_EQ(table.relation(access(x, 1, 2), access(y, 3, 4)), r) << names(x, y);
  });
}

TEST(Dependence, OfConditionsWhoLeftTheTokenDecides) {
  const auto relation = [](Access first, Access second) { return table.relation(first, second); };
  EXPECT_EQ(relation(access(signal, 1, 1), access(signal, 2, 1)), Relation::race);
  EXPECT_EQ(relation(access(broadcast, 1), access(signal, 0, 1)), Relation::race);
  EXPECT_EQ(relation(access(broadcast, 0), access(signal, 0, 1)), Relation::none);
  EXPECT_EQ(relation(access(signal, 2, 1), access(wake, 2, 0)), Relation::enables);
  EXPECT_EQ(relation(access(signal, 1, 1), access(wake, 2, 0)), Relation::none);
  EXPECT_EQ(relation(access(broadcast, 1), access(wake_all, 1, 0)), Relation::enables);
  EXPECT_EQ(relation(access(wake_all, 1, 0), access(broadcast, 2)), Relation::none);
}

TEST(Dependence, OfTwoThatWakeTheSecondWaitedForWhatTheFirstTook) {
  const auto relation = [](Access first, Access second) { return table.relation(first, second); };
  EXPECT_EQ(relation(access(wake, 1, 0), access(wake, 1, 0)), Relation::excludes);
  EXPECT_EQ(relation(access(wake, 1, 0), access(wake_all, 2, 0)), Relation::excludes);
  EXPECT_EQ(relation(access(wake, 1, 0), access(wake_all, 2, 1)), Relation::none);  // came later
  EXPECT_EQ(relation(access(wake, 2, 1), access(wake, 1, 0)), Relation::none);
  EXPECT_EQ(relation(access(wake_all, 1, 0), access(wake_all, 1, 0)), Relation::none);
}

TEST(Dependence, OfBarriersTheGenerationDecides) {
  EXPECT_EQ(table.relation(access(arrive, 0, 2), access(arrive, 0, 2)), Relation::none);
  EXPECT_EQ(table.relation(access(arrive, 0, 2), access(arrive, 1, 2)), Relation::race);
  EXPECT_EQ(table.relation(access(arrive, 1, 2), access(leave, 1)), Relation::enables);
  EXPECT_EQ(table.relation(access(arrive, 1, 2), access(leave, 0)), Relation::none);
  EXPECT_EQ(table.relation(access(leave, 0), access(arrive, 0, 2)), Relation::none);
  EXPECT_EQ(table.relation(access(leave, 0), access(leave, 1)), Relation::none);
}

TEST(Dependence, OfMailboxesTheMessageOrTheTagsDecide) {
  const auto relation = [](Access first, Access second) { return table.relation(first, second); };
  EXPECT_EQ(relation(access(send, 5, 1), access(receive, 5, 3)), Relation::enables);
  EXPECT_EQ(relation(access(send, 5, 1), access(receive, 6, 3)), Relation::none);
  EXPECT_EQ(relation(access(send, 5, 1), access(try_receive, 5, 3)), Relation::race);
  EXPECT_EQ(relation(access(send, 5, 1), access(try_receive, 6, 3)), Relation::none);
  EXPECT_EQ(relation(access(try_receive_none, 0, 3), access(send, 5, 2)), Relation::race);
  EXPECT_EQ(relation(access(try_receive_none, 0, 3), access(send, 5, 4)), Relation::none);
  EXPECT_EQ(relation(access(send, 5, 1), access(send, 6, 2)), Relation::observed);
  EXPECT_EQ(relation(access(receive, 5, 1), access(send, 6, 1)), Relation::none);
}

TEST(Dependence, WithoutTakesOutOnePairAndLeavesTheRest) {
  for_each_pair([&](Mode x, Mode y, Relation) {
    const Dependence broken = table.without(x, y);
    for_each_pair([&](Mode v, Mode w, Relation r) {
      const bool gone = (v == x && w == y) || (v == y && w == x);
      ASSERT_EQ(broken.by_mode(v, w), gone ? Relation::none : r) << names(v, w);
    });
  });
  EXPECT_EQ(table.by_mode(read, write), Relation::race);  // the original is untouched
  EXPECT_FALSE(table.without(send, try_receive_none)
                   .dependent(access(try_receive_none, 0, 1), access(send, 5, 1)));
  EXPECT_TRUE(table.without(read, add).stands_for(add, read, false));  // derived anew
}

struct Stands {
  Mode later, earlier;
  bool plain, observers;
};

TEST(Dependence, WhatStandsForWhat) {
  for (const Stands& s : {
           Stands{write, read, true, false},  // an unread write orders no other write
           Stands{write, write, true, true},  // but the reader of the earlier is still there
           Stands{write_in_block, write, true, true},
           Stands{update, write, true, true},
           Stands{update, add, true, true},
           Stands{read, write, false, false},  // reads commute
           Stands{read, read, true, true},
           Stands{add, read, false, false},  // adds commute
           Stands{add, add, true, true},
           Stands{free, update, true, true},
           Stands{lock, lock, true, true},
           Stands{lock, unlock, true, true},
           Stands{unlock, lock, false, false},  // the next lock races with the lock
           Stands{try_lock_fail, lock, false, false},
           Stands{read_lock, read_lock, false, false},  // a writer waits for every reader
           Stands{try_read_lock, read_lock, false, false},
           Stands{read_lock, write_lock, false, false},
           Stands{write_lock, read_lock, true, true},
           Stands{write_unlock, write_lock, false, false},
           Stands{wake, wake, false, false},  // tokens taken earlier still count
           Stands{signal, wake, false, false},
           Stands{signal, signal, false, false},  // the thread that takes the token comes after it
           Stands{signal, wait, true, true},
           Stands{sem_wait, sem_wait, true, true},
           Stands{sem_post, sem_wait, false, false},
           Stands{arrive, arrive, false, false},  // details decide
           Stands{send, send, false, false},
       }) {
    EXPECT_EQ(table.stands_for(s.later, s.earlier, false), s.plain)
        << name_of(s.later) << " for " << name_of(s.earlier);
    EXPECT_EQ(table.stands_for(s.later, s.earlier, true), s.observers)
        << name_of(s.later) << " for " << name_of(s.earlier) << ", with observers";
  }
}

// What a later access stands for, it is ordered with at least whatever the earlier is ordered with.
TEST(Dependence, WhatStandsForAnotherIsOrderedWithAllThatIs) {
  for_each_pair([&](Mode later, Mode earlier, Relation) {
    if (!table.stands_for(later, earlier, false)) return;
    for (const Mode next : modes())
      if (one_class(later, next) && table.by_mode(earlier, next) != Relation::none) {
        EXPECT_NE(table.by_mode(later, next), Relation::none)
            << name_of(later) << " for " << name_of(earlier) << " before " << name_of(next);
      }
  });
}

TEST(Footprints, NameEachSetOnce) {
  Footprints f;
  EXPECT_EQ(f.size(), 1U);
  EXPECT_EQ(f.intern({}), Footprints::empty);
  EXPECT_TRUE(f.accesses(Footprints::empty).empty());
  const Access x = access(read, 0, 0, 1), y = access(read, 0, 0, 2), z = access(read, 1, 0, 1);
  const FootprintId first = f.intern(std::vector{x, y});
  EXPECT_EQ(f.intern(std::vector{x, y}), first);
  EXPECT_EQ(f.intern(std::vector{x, y, x}), first);  // the same access again
  EXPECT_NE(f.intern(std::vector{x}), first);
  EXPECT_NE(f.intern(std::vector{z}), f.intern(std::vector{x}));
  const FootprintId varying = f.intern(std::vector{x, y}, Varies::mode);
  EXPECT_NE(varying, first);
  EXPECT_EQ(f.varies(varying), Varies::mode);
  EXPECT_EQ(f.varies(first), Varies::no);
  EXPECT_EQ(f.intern(std::vector{x, y}, Varies::mode), varying);
  EXPECT_EQ(f.size(), 5U);
}

std::vector<Mode> modes_of(const std::vector<Access>& accesses) {
  Footprints f;
  std::vector<Mode> out;
  for (const Access& a : f.accesses(f.intern(accesses))) out.push_back(a.mode);
  return out;
}

TEST(Footprints, JoinAccessesOfOneLocation) {
  const auto one = [](Mode x, Mode y) { return modes_of({access(x), access(y)}); };
  const auto is = [](Mode m) { return std::vector{m}; };
  EXPECT_EQ(one(read, write), is(update));
  EXPECT_EQ(one(write, read), is(update));
  EXPECT_EQ(one(write, write), is(write));  // still all that its step does
  EXPECT_EQ(one(add, add), is(add));
  EXPECT_EQ(one(add, read), is(update));
  EXPECT_EQ(one(read, update), is(update));
  EXPECT_EQ(one(alloc, write), is(alloc));
  EXPECT_EQ(one(read, free), is(free));
  EXPECT_EQ(one(lock, unlock), (std::vector{lock, unlock}));  // no memory: kept apart
}

TEST(Footprints, AWriteThatIsNotAloneIsAlwaysOrdered) {
  const Access wx = access(write, 0, 0, 1), wy = access(write, 0, 0, 2), rx = access(read, 0, 0, 1);
  EXPECT_EQ(modes_of({wx}), (std::vector{write}));
  EXPECT_EQ(modes_of({wx, wy}), (std::vector{write_in_block, write_in_block}));
  EXPECT_EQ(modes_of({wy, rx}), (std::vector{write_in_block, read}));
  EXPECT_EQ(modes_of({wx, wy, rx}), (std::vector{update, write_in_block}));
  const Access after = access(Mode::joined, 3, 0, 9);
  EXPECT_EQ(modes_of({after, wx}),
            (std::vector{write, Mode::joined}));  // told, not done: comes last
  EXPECT_EQ(modes_of({wx, after, wy}), (std::vector{write_in_block, write_in_block, Mode::joined}));
}

TEST(Footprints, DependOnEachOtherIfSomeAccessesDo) {
  Footprints f;
  const FootprintId both = f.intern(std::vector{access(read, 0, 0, 1), access(read, 0, 0, 2)});
  const FootprintId writes = f.intern(std::vector{access(write, 0, 0, 2)});
  const FootprintId reads = f.intern(std::vector{access(read, 0, 0, 2)});
  const FootprintId waits = f.intern(std::vector{access(unlock, 0, 0, 3), access(wait, 0, 0, 4)});
  const FootprintId locks = f.intern(std::vector{access(lock, 0, 0, 3)});
  EXPECT_TRUE(f.dependent(both, writes));
  EXPECT_FALSE(f.dependent(both, reads));
  EXPECT_TRUE(f.share_location(both, reads));
  EXPECT_FALSE(f.share_location(both, waits));
  EXPECT_TRUE(f.dependent(waits, locks));
  EXPECT_FALSE(f.dependent(Footprints::empty, writes));
  EXPECT_EQ(f.blocking(waits), nullptr);
  EXPECT_EQ(f.blocking(Footprints::empty), nullptr);
  ASSERT_NE(f.blocking(locks), nullptr);
  EXPECT_EQ(*f.blocking(locks), access(lock, 0, 0, 3));
}

}  // namespace
}  // namespace heddle

namespace heddle::interp {
namespace {

// What independence means, on states of random programs: of two independent steps, neither enables,
// disables or changes the other, and both orders end in the same state.
class Diamonds {
 public:
  explicit Diamonds(const Program& program) : machine_(program) {}

  std::size_t independent = 0, enabling = 0;

  void walk(Random& random) {
    for (auto moves = enabled(); !moves.empty();
         machine_.step(random.pick(moves)), moves = enabled())
      for (const Move p : moves) {
        check_enabling(p, moves);
        for (const Move q : moves)
          if (p.thread < q.thread) check_swap(p, q);
      }
  }

 private:
  struct After {
    std::vector<Event> events;  // fewer than were asked for: the next was not enabled
    std::vector<std::int64_t> control, memory;
    std::vector<Move> enabled;
  };

  std::vector<Move> enabled() {
    std::vector<Move> out;
    machine_.enabled(out);
    return out;
  }
  After run(const std::vector<Move>& moves) {
    After after;
    machine_.save();
    for (const Move m : moves)
      if (machine_.why_not(m).empty()) after.events.push_back(machine_.step(m));
    machine_.describe(after.control, after.memory);
    after.enabled = enabled();
    machine_.restore();
    machine_.drop();
    return after;
  }
  Access first_access(const Event& e) const {
    const auto accesses = machine_.footprints().accesses(e.footprint);
    return accesses.empty() ? Access{} : accesses[0];
  }

  void check_swap(Move p, Move q) {
    const After pq = run({p, q}), qp = run({q, p});
    const Event &first = pq.events[0], &second = qp.events[0];
    if (machine_.footprints().dependent(first.footprint, second.footprint)) return;
    // Arrivals commute while both still belong to the generation; the last of it is the exception.
    if (first_access(first).mode == Mode::arrive && first_access(first) == first_access(second))
      return;
    ++independent;
    ASSERT_EQ(pq.events.size(), 2U) << p.thread << " disables " << q.thread;
    ASSERT_EQ(qp.events.size(), 2U) << q.thread << " disables " << p.thread;
    EXPECT_EQ(pq.events[1], second) << p.thread << " changes what " << q.thread << " does";
    EXPECT_EQ(qp.events[1], first) << q.thread << " changes what " << p.thread << " does";
    EXPECT_EQ(pq.control, qp.control);
    EXPECT_EQ(pq.memory, qp.memory);
    EXPECT_EQ(pq.enabled, qp.enabled);
  }

  void check_enabling(Move p, const std::vector<Move>& before) {
    for (const Move q : run({p}).enabled) {
      if (q.thread == p.thread || std::ranges::find(before, q) != before.end()) continue;
      ++enabling;
      const After both = run({p, q});
      // A time-out is ordered with everything, and no pair of accesses tells.
      if (std::ranges::any_of(both.events, [&](const Event& e) {
            return machine_.footprints().times_out(e.footprint);
          }))
        continue;
      EXPECT_TRUE(Order(machine_.footprints(), both.events, Observers::no).before(0, 1))
          << p.thread << " enables " << q.thread;
    }
  }

  ModelMachine machine_;
};

TEST(Dependence, IndependentStepsOfRandomProgramsCommute) {
  std::size_t independent = 0, enabling = 0;
  for (const Shape& shape : shapes())
    for (std::uint64_t seed = 1; seed <= 300 && !testing::Test::HasFailure(); ++seed) {
      SCOPED_TRACE(std::string(shape.name) + ", seed " + std::to_string(seed));
      Random random(seed);
      const Program program = shape.make(random);
      // What is in a race does not commute, and is not meant to.
      ModelMachine machine(program);
      if (const auto races = all_races(machine, 100'000); !races || !races->empty()) continue;
      Diamonds diamonds(program);
      diamonds.walk(random);
      independent += diamonds.independent;
      enabling += diamonds.enabling;
    }
  EXPECT_GT(independent, 10'000U);
  EXPECT_GT(enabling, 500U);
}

}  // namespace
}  // namespace heddle::interp
