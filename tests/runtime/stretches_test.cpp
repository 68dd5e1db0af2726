// What is told of clocks and accesses, compared with clocks and shadow themselves.
#include "runtime/kernel/stretches.hpp"

#include <cstring>
#include <map>
#include <random>
#include <set>
#include <span>
#include <vector>

#include "runtime/fakes.hpp"
#include "runtime/kernel/access_bits.hpp"
#include "runtime/kernel/clocks.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/visible.hpp"
#include "runtime/memory/shadow.hpp"

namespace heddle::runtime {
namespace {

using abi::ActKind, abi::Ordering, abi::WireAct, abi::WireStretch;

class StretchesTest : public fake::RuntimeTest {
 protected:
  static constexpr unsigned thread_count = 4, site_count = 256;

  StretchesTest() {
    static const bool once = (set_up_clocks(), set_up_shadow(), true);
    static_cast<void>(once);
    begin();
  }

  // A run from its beginning, with all threads.
  static void begin(std::uint32_t digest_from = 0, bool from_main = true) {
    fake::world().added.clear();
    fake::world().data_races.clear();
    fake::world().reply = {};
    fake::world().request.header.compare = abi::Compare::digests;
    fake::world().request.header.digest_from = digest_from;
    fake::set_threads(thread_count);
    clear_clocks();
    clear_shadow();
    set_visible();
    begin_stretches(from_main);
    for (unsigned id = 1; id < thread_count; ++id) start_clock(id, 0);
  }
  static void event() { ++fake::world().reply.event_count; }

  struct Told {
    std::uint32_t at;
    std::vector<WireAct> acts;
  };
  static std::vector<Told> report() {
    report_stretches();
    const abi::ReplyHeader& r = fake::world().reply;
    const char* const added = fake::world().added.data();
    std::vector<WireStretch> list(r.stretch_count);
    std::vector<WireAct> acts(r.act_count);
    if (!list.empty()) std::memcpy(list.data(), added, list.size() * sizeof list[0]);
    if (!acts.empty())
      std::memcpy(acts.data(), added + list.size() * sizeof list[0], acts.size() * sizeof acts[0]);
    std::vector<Told> out;
    for (const WireStretch& s : list)
      out.push_back({s.at, {acts.begin() + s.first, acts.begin() + s.first + s.count}});
    return out;
  }

  static void access(unsigned thread, const void* at, std::uint64_t size, unsigned bits,
                     unsigned site) {
    check_access(thread, at, size, static_cast<std::uint8_t>(bits), &sites[site]);
  }

  static inline abi::Site sites[site_count];
  static inline char locks[2];
  alignas(8) static inline char x[64], u[4096];
};

// As model/stretch.hpp has it: which accesses race, by their sites, if the acts are all there is.
class Knowing {
 public:
  void apply(const WireAct& act) {
    if (act.kind == ActKind::access) return access(act);
    const std::set<std::size_t> from = known_[act.second];
    if (act.kind != ActKind::add) known_[act.first].clear();
    if (act.kind != ActKind::forget) known_[act.first].insert(from.begin(), from.end());
  }
  // The sites of accesses that race with an earlier one.
  const std::set<std::uint64_t>& racing() const { return racing_; }

 private:
  void access(const WireAct& act) {
    std::set<std::size_t>& own = known_[abi::knowing_threads | act.thread];
    for (std::size_t k = 0; k < made_.size(); ++k) {
      const WireAct& a = made_[k];
      const bool overlap = a.first < act.first + act.count && act.first < a.first + a.count &&
                           (a.mask & act.mask) != 0;
      const unsigned both = a.bits | act.bits;
      if (overlap && a.thread != act.thread && (both & bit_write) != 0 && (both & bit_plain) != 0 &&
          (a.bits & bit_free) == 0 && !own.contains(k))
        racing_.insert(act.second);
    }
    own.insert(made_.size());
    made_.push_back(act);
  }

  std::map<std::uint64_t, std::set<std::size_t>> known_;
  std::vector<WireAct> made_;
  std::set<std::uint64_t> racing_;
};

// Everything that moves clocks, at random, with accesses between: by the acts, the same accesses
// race as the shadow finds.
TEST_F(StretchesTest, TellAllThatClocksAndShadowKnow) {
  std::mt19937_64 random(7);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  constexpr Ordering orderings[] = {Ordering::relaxed, Ordering::acquire, Ordering::release,
                                    Ordering::acquire_release, Ordering::sequential};
  std::size_t racing = 0, silent = 0;
  for (int run = 0; run < 20'000; ++run) {
    begin();
    const bool own_continue = below(2) != 0, mixed = below(4) == 0;
    const unsigned operations = 4 + below(40);
    unsigned live = thread_count;  // those before it have not ended
    for (unsigned k = 0; k < operations; ++k) {
      const unsigned thread = below(live);
      fake::set_current(thread);
      if (below(2) != 0) event();
      const Ordering ordering = orderings[below(5)];
      const std::uint64_t size = mixed ? 1U << below(5) : 4U << below(2);
      const char* const place = x + below(mixed ? 4 : 2) * (size < 4 ? 4 : size);
      const bool own = mixed ? below(2) != 0 : own_continue;
      switch (below(10)) {
        case 0:
          release(thread, &locks[below(2)]);
          break;
        case 1:
          acquire(thread, &locks[below(2)]);
          break;
        case 2:
          order_read(thread, place, size, ordering);
          break;
        case 3:
          order_write(thread, place, size, ordering, false, own);
          break;
        case 4:
          order_read(thread, place, size, ordering);
          order_write(thread, place, size, ordering, true, own);
          break;
        case 5:
          order_fence(thread, ordering);
          break;
        case 6:
          if (below(4) == 0 && live > 2 && thread < live - 1) join_thread(thread, --live);
          break;
        case 7:
          if (below(3) == 0)
            below(2) != 0 ? check_free(thread, u + 8, 24, &sites[k])
                          : check_end_of_writes(thread, u + 8, 24, &sites[k]);
          break;
        default:
          access(thread, u + below(24), 1 + below(20), below(4), k);
      }
    }
    std::set<std::uint64_t> by_shadow;
    for (const abi::WireRace& race : fake::world().data_races) by_shadow.insert(race.second_site);
    Knowing knowing;
    for (const Told& told : report())
      for (const WireAct& act : told.acts) knowing.apply(act);
    ASSERT_EQ(knowing.racing(), by_shadow) << "run " << run;
    ++(by_shadow.empty() ? silent : racing);
  }
  EXPECT_GT(racing, 1000U);
  EXPECT_GT(silent, 1000U);
}

// By the rules before C++20, a thread's own stores continue its sequence: unless another thread has
// stored meanwhile.
TEST_F(StretchesTest, AStoreEndsTheSequencesOfOtherThreads) {
  const auto races = [](bool meanwhile, bool own_continue) {
    begin();
    access(1, u, 8, bit_plain | bit_write, 1);
    order_write(1, x, 4, Ordering::release, false, true);
    if (meanwhile) order_write(2, x, 4, Ordering::relaxed, false, own_continue);
    order_write(1, x, 4, Ordering::relaxed, false, true);
    order_read(3, x, 4, Ordering::acquire);
    access(3, u, 8, bit_plain, 2);
    Knowing knowing;
    for (const Told& told : report())
      for (const WireAct& act : told.acts) knowing.apply(act);
    EXPECT_EQ(knowing.racing().size(), fake::world().data_races.size());
    return !knowing.racing().empty();
  };
  EXPECT_FALSE(races(false, true));
  EXPECT_TRUE(races(true, true));
  EXPECT_TRUE(races(true, false));
}

TEST_F(StretchesTest, AreOfTheEventsThatAreAskedFor) {
  begin(1);
  access(1, u, 8, bit_plain, 1);
  event();
  access(1, u, 8, bit_plain, 2);
  event();
  access(1, u, 8, bit_plain, 3);
  event();
  event();
  access(1, u, 8, bit_plain, 4);
  const std::vector<Told> told = report();
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].at, 2U);
  EXPECT_EQ(told[0].acts[0].second, reinterpret_cast<std::uint64_t>(&sites[3]));
  EXPECT_EQ(told[1].at, 4U);
}

TEST_F(StretchesTest, HaveTheBeginningOnlyIfTheRunBeginsThere) {
  access(1, u, 8, bit_plain, 1);
  event();
  access(1, u, 8, bit_plain, 2);
  std::vector<Told> told = report();
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].at, 0U);
  EXPECT_EQ(told[1].at, 1U);
  begin(0, false);  // from a savepoint before the first event
  event();
  access(1, u, 8, bit_plain, 2);
  told = report();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].at, 1U);
}

TEST_F(StretchesTest, AreNotToldUnlessStatesAreCompared) {
  fake::world().request.header.compare = abi::Compare::nothing;
  begin_stretches(true);
  access(1, u, 8, bit_plain, 1);
  EXPECT_FALSE(is_telling());
  EXPECT_TRUE(report().empty());
}

TEST_F(StretchesTest, DoNotHaveWhatIsOnlyTried) {
  event();
  detail::now.trying = true;
  tell_add(1, 2);
  detail::now.trying = false;
  tell_add(3, 4);
  const std::vector<Told> told = report();
  ASSERT_EQ(told.size(), 2U);
  ASSERT_EQ(told[1].acts.size(), 1U);
  EXPECT_EQ(told[1].acts[0].first, 3U);
}

// A loop over an array is an act or two, in either direction and for parts of granules.
TEST_F(StretchesTest, NeighboursAreOneAccess) {
  event();
  for (unsigned k = 0; k < 512; ++k) access(1, u + k * 8, 8, bit_plain, 1);
  for (unsigned k = 512; k-- > 0;) access(1, u + k * 8, 8, bit_plain | bit_write, 2);
  for (unsigned k = 0; k < 1024; ++k) access(2, u + k * 4, 4, bit_plain, 3);
  const std::vector<Told> told = report();
  ASSERT_EQ(told.size(), 2U);
  ASSERT_EQ(told[1].acts.size(), 4U);
  for (const WireAct& act : told[1].acts) {
    EXPECT_EQ(act.count, 512U);
    EXPECT_EQ(act.first, reinterpret_cast<std::uint64_t>(u) / 8);
  }
}

TEST_F(StretchesTest, NeighboursFindEachOtherInAnyOrder) {
  event();
  for (unsigned k = 0; k < 512; ++k) access(1, u + k * 77 % 512 * 8, 8, bit_plain, 1);
  const std::vector<Told> told = report();
  ASSERT_EQ(told.size(), 2U);
  ASSERT_EQ(told[1].acts.size(), 1U);
  EXPECT_EQ(told[1].acts[0].count, 512U);
}

TEST_F(StretchesTest, AccessesAreApartIfAnotherActComesBetween) {
  event();
  access(1, u, 8, bit_plain, 1);
  release(1, &locks[0]);
  access(1, u, 8, bit_plain, 1);
  const std::vector<Told> told = report();
  ASSERT_EQ(told[1].acts.size(), 3U);
}

TEST_F(StretchesTest, ThoseThatAreEqualShareTheirActs) {
  for (int k = 0; k < 1000; ++k) {
    event();
    access(1, u, 8, bit_plain, 1);
    release(1, &locks[0]);
  }
  const std::vector<Told> told = report();
  EXPECT_EQ(told.size(), 1001U);
  EXPECT_EQ(fake::world().reply.act_count, 2U + thread_count - 1);
}

TEST_F(StretchesTest, TooManyAreRefused) {
  event();
  EXPECT_THROW(for (unsigned k = 0; k <= abi::max_acts; ++k)
                   tell_access(1, u + k * 16, 8, bit_plain, nullptr),
               fake::Unsupported);
}

}  // namespace
}  // namespace heddle::runtime
