// What several engines are ordered to do, without any engine: parallel/dispatcher.hpp.
#include "parallel/dispatcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "parallel/policy.hpp"

namespace heddle::parallel {
namespace {

using What = Order::What;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

constexpr std::uint64_t any = Look::any_number;

Item item(const std::string& cube, double estimate) { return {.cube = cube, .estimate = estimate}; }

std::vector<What> whats(const std::vector<Order>& orders) {
  std::vector<What> out;
  for (const Order& order : orders) out.push_back(order.what);
  return out;
}

std::vector<std::string> cubes(const std::vector<Item>& items) {
  std::vector<std::string> out;
  for (const Item& i : items) out.push_back(i.cube);
  return out;
}

// Of a cube that is large, after few runs: a run takes a millisecond.
Dispatcher::Told seems(double outlook, std::uint64_t runs = enough_to_judge) {
  return {.runs = runs, .outlook = outlook, .divisible = true};
}

std::vector<Item> of_one_size(std::size_t number) {
  std::vector<Item> out;
  for (std::size_t k = 0; k < number; ++k) out.push_back(item("c" + std::to_string(k), 1));
  return out;
}

TEST(Dispatcher, SplitsTheWholeAtOnce) {
  Dispatcher d(3, {item("", 1000)}, any);
  const auto orders = d.orders();
  EXPECT_THAT(whats(orders), ElementsAre(What::split));
  EXPECT_THAT(d.orders(), IsEmpty());  // others wait; each order is given once
  d.split(orders[0].engine, Halves{"a", "b"}, Dispatcher::Why::ordered);
  EXPECT_THAT(cubes(d.left()), UnorderedElementsAre("a", "b"));
  EXPECT_EQ(d.rest(), 1000);
}

TEST(Dispatcher, ExploresAWholeThatCannotBeSplit) {
  Dispatcher d(3, {item("", 1000)}, any);
  d.split(d.orders()[0].engine, {}, Dispatcher::Why::ordered);
  const auto orders = d.orders();
  ASSERT_THAT(whats(orders), ElementsAre(What::explore));
  d.complete(orders[0].engine, 1000);
  EXPECT_FALSE(d.is_working());
  EXPECT_THAT(d.left(), IsEmpty());
}

TEST(Dispatcher, OneEngineExploresTheWhole) {
  Dispatcher d(1, {item("", 1e9)}, any);
  EXPECT_THAT(whats(d.orders()), ElementsAre(What::explore));
  d.pass(1);
  d.tell(0, seems(1e9));
  EXPECT_THAT(d.orders(), IsEmpty());
}

TEST(Dispatcher, HandsOutTheLargestFirst) {
  Dispatcher d(1, {item("a", 10), item("c", 30), item("b", 20)}, any);
  std::vector<std::string> order;
  for (int k = 0; k < 3; ++k) {
    order.push_back(d.orders().at(0).item.cube);
    d.complete(0, 1);
  }
  EXPECT_THAT(order, ElementsAre("c", "b", "a"));
}

TEST(Dispatcher, SplitsUnseenWhatIsMoreThanAShare) {
  // Of 600 runs, each of two engines has two parts of 150.
  Dispatcher d(2, {item("a", 200), item("b", 99), item("c", 99), item("e", 202)}, any);
  ASSERT_THAT(whats(d.orders()), ElementsAre(What::split, What::split));
  d.split(0, Halves{"e1", "e2"}, Dispatcher::Why::ordered);
  d.split(1, Halves{"a1", "a2"}, Dispatcher::Why::ordered);
  // Halves are taken for one half each.
  std::map<std::string, double> estimates;
  for (const Item& i : d.left()) estimates[i.cube] = i.estimate;
  EXPECT_EQ(estimates["e1"], 101);
  EXPECT_EQ(estimates["a2"], 100);
  Dispatcher small(2, {item("b", 99), item("c", 99), item("r", 402)}, any);
  EXPECT_THAT(whats(small.orders()), ElementsAre(What::split, What::explore));
}

TEST(Dispatcher, DoesNotSplitWhatIsSoonExplored) {
  // After 640,000 runs of each of two engines, 10,000 are waited for.
  Dispatcher d(2, {item("a", 640'000), item("b", 640'000), item("c", 9'900), item("d", 10'100)},
               any);
  const auto first = d.orders();
  ASSERT_THAT(whats(first), ElementsAre(What::split, What::split));
  for (const Order& order : first) d.split(order.engine, {}, Dispatcher::Why::ordered);
  for (const Order& order : d.orders()) {
    ASSERT_EQ(order.what, What::explore);
    d.tell(order.engine, seems(640'000, 640'000));
    d.complete(order.engine, 640'000);
  }
  std::map<std::string, What> ordered;
  for (const Order& order : d.orders()) ordered[order.item.cube] = order.what;
  EXPECT_EQ(ordered.at("d"), What::split);
  EXPECT_EQ(ordered.at("c"), What::explore);
}

TEST(Dispatcher, EnginesWithoutProcessorsStandBy) {
  Dispatcher d(3, of_one_size(8), any, 2);
  ASSERT_THAT(whats(d.orders()), ElementsAre(What::explore, What::explore));
  EXPECT_THAT(d.orders(), IsEmpty());
  d.complete(1, 1);
  const auto orders = d.orders();
  ASSERT_THAT(whats(orders), ElementsAre(What::explore));
  EXPECT_EQ(orders[0].engine, 1) << "the processor that has nothing to do is that of this one";
}

TEST(Dispatcher, EnginesWithoutProcessorsMakeNoMoreParts) {
  // As for two engines, each has two parts of 150 of these 600 runs.
  Dispatcher d(8, {item("a", 149), item("b", 451)}, any, 2);
  EXPECT_THAT(whats(d.orders()), ElementsAre(What::split, What::explore));
}

TEST(Dispatcher, EnginesWithoutProcessorsAreNotHungry) {
  Dispatcher d(3, of_one_size(2), any, 2);
  for (const Order& order : d.orders()) d.split(order.engine, {}, Dispatcher::Why::ordered);
  ASSERT_THAT(whats(d.orders()), ElementsAre(What::explore, What::explore));
  for (const double now : {1, 10, 100}) {
    d.pass(now);
    for (const std::size_t engine : {0, 1}) d.tell(engine, seems(1e6));
    EXPECT_THAT(d.orders(), IsEmpty()) << now;
  }
  d.complete(0, 1'000);
  d.pass(200);
  d.tell(1, seems(1e6));
  EXPECT_THAT(whats(d.orders()), ElementsAre(What::give_up));
}

TEST(Dispatcher, ManyEnginesMakeMoreParts) {
  // Of 1,000 runs, 64 engines have eight parts each.
  std::vector<Item> open = {item("a", 2), item("b", 1.9)};
  for (int k = 0; k < 62; ++k) open.push_back(item(std::to_string(k), 996.1 / 62));
  Dispatcher d(64, open, any);
  std::map<std::string, What> ordered;
  for (const Order& order : d.orders()) ordered[order.item.cube] = order.what;
  EXPECT_EQ(ordered.at("a"), What::split);
  EXPECT_EQ(ordered.at("b"), What::explore);
}

// What an exploration that takes a millisecond for a run looks like after each of its runs.
double shared_after(double runs, double (*outlook)(double done)) {
  Sharing sharing;
  for (double done = 1; done <= runs; ++done)
    if (sharing.is_worth_it({done, outlook(done), done / 1000})) return done;
  return runs + 1;
}

TEST(Sharing, BelievesAHighOutlookAtOnce) {
  EXPECT_EQ(shared_after(200, [](double) { return 1e6; }), 15);
}

TEST(Sharing, WaitsForWhatIsNearlyDone) {
  EXPECT_EQ(shared_after(90, [](double) { return 90.0; }), 91);
  EXPECT_EQ(shared_after(200, [](double done) { return std::max(90.0, done); }), 101)
      << "not for long";
}

TEST(Sharing, DoesNotWaitForWhatBecomesMore) {
  EXPECT_EQ(shared_after(200, [](double done) { return 1.1 * done; }), 50);
  EXPECT_EQ(shared_after(200, [](double) { return 170.0; }), 50) << "twice what was waited for";
}

TEST(Dispatcher, CubesThatAreDoneSayHowLargeOthersAre) {
  Dispatcher d(1, of_one_size(4), any);
  d.orders();
  EXPECT_EQ(d.rest(), 4);
  d.complete(0, 500);
  EXPECT_EQ(d.rest(), 1500);
  d.orders();
  d.complete(0, 1000);
  EXPECT_EQ(d.rest(), 1500) << "two of 750";
  EXPECT_EQ(d.left()[0].estimate, 750);
}

TEST(Dispatcher, DoesNotSplitUnseenWhatIsSmall) {
  for (const std::uint64_t each : {10U, 1000U}) {
    std::vector<Item> open = of_one_size(16);
    open.push_back(item("two", 2));
    Dispatcher d(2, open, any);
    ASSERT_EQ(d.orders().at(0).item.cube, "two");
    for (int n = 0; n < 12; ++n) {
      d.complete(1, each);
      d.orders();
    }
    // Less is left, and it has become too large; but to split it takes some runs.
    d.put_back(0, nullptr, 0);
    const Order order = d.orders().at(0);
    EXPECT_EQ(order.item.cube, "two");
    EXPECT_EQ(order.what, each == 10 ? What::explore : What::split);
  }
}

// What is known is that a cube has a thousand runs.
Dispatcher with_known_sizes() {
  Dispatcher d(2, of_one_size(32), any);
  d.orders();
  d.complete(0, 1000);
  d.orders();
  d.pass(0.03);
  return d;
}

TEST(Dispatcher, GivesUpWhatTurnsOutTooLarge) {
  Dispatcher unknown(2, of_one_size(32), any);
  unknown.orders();
  unknown.pass(0.03);
  unknown.tell(0, seems(1e6));
  EXPECT_THAT(unknown.orders(), IsEmpty()) << "all may be so large";
  Dispatcher d = with_known_sizes();
  d.tell(0, seems(1e6, enough_to_judge - 1));
  EXPECT_THAT(d.orders(), IsEmpty()) << "too early to tell";
  d.tell(0, seems(20'000));
  EXPECT_THAT(d.orders(), IsEmpty()) << "that is less than half of what is left";
  d.tell(0, seems(1e6));
  const auto orders = d.orders();
  ASSERT_THAT(whats(orders), ElementsAre(What::give_up));
  EXPECT_EQ(orders[0].engine, 0U);
  d.tell(0, seems(1e6));
  EXPECT_THAT(d.orders(), IsEmpty()) << "it was asked already";
}

TEST(Dispatcher, KeepsWhatIsMostlyDone) {
  Dispatcher d = with_known_sizes();
  d.pass(10);
  d.tell(0, seems(1e6, 300'000));
  EXPECT_THAT(d.orders(), IsEmpty());
}

TEST(Dispatcher, KeepsWhatTakesAMoment) {
  Dispatcher d(2, of_one_size(32), any);
  d.orders();
  d.complete(0, 1000);
  d.orders();
  d.pass(1e-6);  // the rest of a million runs takes 33 ms
  d.tell(0, seems(1e6));
  EXPECT_THAT(d.orders(), IsEmpty());
}

// Parts that have states in common are as few as there are engines, or fewer.
TEST(Dispatcher, MakesFewPartsIfTheyHaveMuchInCommon) {
  constexpr std::size_t all = 100;
  for (const auto& [engines, in_common, least, most] :
       {std::tuple{2U, 0.0, 3U, 8U}, {2U, 0.5, 1U, 2U}, {8U, 0.5, 4U, 8U}, {8U, 0.0, 32U, 64U}}) {
    Dispatcher d(engines, {item("", 1e6)}, any, all, {.in_common = in_common});
    std::size_t made = 1;
    for (bool splits = true; splits;) {
      splits = false;
      for (const Order& order : d.orders()) {
        if (order.what != What::split) continue;
        const std::string name = order.item.cube + "x";
        d.split(order.engine, Halves{name + "1", name + "2"}, Dispatcher::Why::ordered);
        splits = true;
        ++made;
      }
    }
    EXPECT_GE(made, least) << engines << ", " << in_common;
    EXPECT_LE(made, most) << engines << ", " << in_common;
  }
}

// What is done of a cube is lost if it takes too long; but one that took long to make may take as
// long again.
TEST(Dispatcher, SplitsWhatTakesTooLongToBeLost) {
  Dispatcher d(1, {item("a", 1000)}, any, 1, {.longest = 60});
  d.orders();
  d.pass(59);
  d.tell(0, seems(1000));
  EXPECT_THAT(d.orders(), IsEmpty());
  d.pass(61);
  d.tell(0, seems(1000));
  ASSERT_THAT(whats(d.orders()), ElementsAre(What::give_up));
  d.split(0, Halves{"x", "y"}, Dispatcher::Why::ordered);
  ASSERT_THAT(whats(d.orders()), ElementsAre(What::explore));
  d.pass(61 + 60.5);
  d.tell(0, seems(1000));
  EXPECT_THAT(d.orders(), IsEmpty()) << "61 seconds were given up to have it";
  d.pass(61 + 62);
  d.tell(0, seems(1000));
  EXPECT_THAT(whats(d.orders()), ElementsAre(What::give_up));
}

TEST(Dispatcher, DoesNotSplitWhatCannotBe) {
  Dispatcher d = with_known_sizes();
  d.tell(0, {.runs = enough_to_judge, .outlook = 1e6, .divisible = false});
  EXPECT_THAT(d.orders(), IsEmpty());
}

TEST(Dispatcher, HalvesHaveMoreThanWasMadeOfTheirCube) {
  Dispatcher d = with_known_sizes();
  d.pass(10);
  d.tell(0, seems(1e6));
  ASSERT_THAT(whats(d.orders()), ElementsAre(What::give_up));
  d.tell(0, seems(1e6, 50'000));
  d.split(0, Halves{"x", "y"}, Dispatcher::Why::ordered);
  const auto left = d.left();
  const auto half = std::ranges::find(left, "x", &Item::cube);
  ASSERT_NE(half, left.end());
  EXPECT_EQ(half->estimate, 50'000);
}

TEST(Dispatcher, LearnsWhatIsTooLargeForATree) {
  Dispatcher d(1, {item("a", 1), item("b", 1), item("c", 1.0 / 8)}, any);
  EXPECT_EQ(d.orders().at(0).what, What::explore);
  d.tell(0, seems(450, 400));
  d.split(0, Halves{"x", "y"}, Dispatcher::Why::too_large);
  EXPECT_EQ(d.thrown_away(), 400U);
  // It is taken for four times as large, and half of what was too large fits: an eighth of it.
  std::size_t split = 0;
  Order order = d.orders().at(0);
  for (; order.what == What::split; order = d.orders().at(0)) {
    EXPECT_GT(order.item.estimate, 1.0 / 8);
    d.split(0, Halves{order.item.cube + "1", order.item.cube + "2"}, Dispatcher::Why::ordered);
    ++split;
  }
  EXPECT_EQ(split, 13U) << "seven of one: one, two, four; and six of the halves";
  EXPECT_EQ(order.item.estimate, 1.0 / 8);
  // One that is larger than that after all is given up soon.
  d.pass(1);
  d.tell(0, seems(1e4, enough_to_judge));
  EXPECT_THAT(whats(d.orders()), ElementsAre(What::give_up));
}

TEST(Dispatcher, SplitsForThoseThatHaveNothingToDo) {
  Dispatcher d(3, {item("a", 100), item("b", 100)}, any);
  for (const Order& order : d.orders())
    if (order.what == What::split) d.split(order.engine, {}, Dispatcher::Why::ordered);
  d.orders();
  d.pass(10);
  // Much is done of both, so they are no longer too large; but one engine waits.
  d.tell(0, seems(8'000, 1'000));
  d.tell(1, seems(9'000, 1'000));
  const auto orders = d.orders();
  ASSERT_THAT(whats(orders), ElementsAre(What::give_up)) << "one half is enough for one engine";
  EXPECT_EQ(orders[0].engine, 1U);
  EXPECT_THAT(d.orders(), IsEmpty());
}

TEST(Dispatcher, GivesUpAgainOnlyAfterLonger) {
  Dispatcher d(2, {item("a", 100)}, any);
  d.split(d.orders().at(0).engine, {}, Dispatcher::Why::ordered);
  d.orders();
  // Each time, one half has a single run.
  double now = 0, last = 0;
  for (int k = 0; k < 8; ++k) {
    const double began = now;
    std::vector<Order> orders;
    for (; orders.empty() && now < 1000; orders = d.orders()) {
      now += 0.01;
      d.pass(now);
      d.tell(0, seems(1e6, 10'000));
    }
    ASSERT_THAT(whats(orders), ElementsAre(What::give_up)) << now;
    EXPECT_TRUE(k < 4 || now - began >= last) << "surprises come first; then longer, " << k;
    last += now - began;
    d.split(0, Halves{"large" + std::to_string(k), "small"}, Dispatcher::Why::ordered);
    for (bool small = true; small;)
      for (const Order& order : d.orders()) {
        if (order.what == What::split) d.split(order.engine, {}, Dispatcher::Why::ordered);
        if (order.what != What::explore || order.item.cube != "small") continue;
        d.complete(order.engine, 1);
        small = false;
      }
  }
}

TEST(Dispatcher, WaitsForHalvesThatAreComing) {
  Dispatcher d(4, {item("x", 10), item("y", 10), item("a", 2)}, any);
  ASSERT_THAT(whats(d.orders()), ElementsAre(What::split, What::split, What::split));
  d.split(2, {}, Dispatcher::Why::ordered);
  d.pass(5);
  ASSERT_THAT(whats(d.orders()), ElementsAre(What::explore));
  d.pass(11);  // the fourth has waited for longer than that has been explored
  d.tell(2, seems(9'000, 1'000));
  EXPECT_THAT(d.orders(), IsEmpty()) << "one engine waits, and two are splitting";
}

TEST(Dispatcher, ADeadEnginesCubeComesAgain) {
  Dispatcher d(1, {item("a", 0)}, any);
  d.orders();
  d.tell(0, seems(100, 40));
  EXPECT_EQ(d.lose(0), 1U);
  EXPECT_EQ(d.thrown_away(), 40U);
  EXPECT_EQ(d.orders().at(0).item.cube, "a");
  EXPECT_EQ(d.lose(0), 2U);
  EXPECT_EQ(d.orders().at(0).item.deaths, 2U);
  d.complete(0, 100);
  EXPECT_EQ(d.lose(0), 0U) << "it had no cube";
  EXPECT_THAT(d.left(), IsEmpty());
}

TEST(Dispatcher, ADeadEnginesCubeComesLast) {
  Dispatcher d(1, {item("large", 2), item("a", 1), item("b", 1)}, any);
  EXPECT_EQ(d.orders().at(0).item.cube, "large");
  d.lose(0);
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(d.orders().at(0).item.estimate, 1);
    d.complete(0, 1);
  }
  EXPECT_EQ(d.orders().at(0).item.cube, "large");
}

TEST(Dispatcher, StopsAllOnceAndKeepsWhatIsLeft) {
  Dispatcher d(2, {item("a", 1), item("b", 1), item("c", 1)}, any);
  for (const Order& order : d.orders()) ASSERT_NE(order.what, What::stop);
  d.stop();
  EXPECT_THAT(whats(d.orders()), ElementsAre(What::stop, What::stop));
  EXPECT_THAT(d.orders(), IsEmpty());
  d.put_back(0, {{"done", 1}}, 1);
  d.put_back(1, nullptr, 0);
  EXPECT_THAT(d.orders(), IsEmpty()) << "nothing is handed out any more";
  EXPECT_THAT(cubes(d.left()), UnorderedElementsAre("a", "b", "c"));
  EXPECT_EQ(std::ranges::count_if(d.left(), [](const Item& i) { return !i.partial.is_null(); }), 1);
}

TEST(Dispatcher, ResumesWhatIsPartlyDoneRatherThanSplitIt) {
  Item partly = item("", 1e6);
  partly.partial = {{"done", 1}};
  Dispatcher d(2, {partly}, any);
  EXPECT_THAT(whats(d.orders()), ElementsAre(What::explore));
}

TEST(Dispatcher, GrantsNoMoreRunsThanAreAllowed) {
  Dispatcher d(2, of_one_size(32), 10);
  std::uint64_t granted = 0;
  for (const Order& order : d.orders()) granted += order.runs;
  for (bool more = true; more;) {
    d.ask_for_runs(0);
    const auto orders = d.orders();
    ASSERT_THAT(whats(orders), ElementsAre(What::runs));
    more = orders[0].runs != 0;
    granted += orders[0].runs;
  }
  EXPECT_EQ(granted, 10U);
  d.split(0, Halves{"c", "d"}, Dispatcher::Why::ordered);  // in vain, so they may be made again
  granted = 0;
  for (const Order& order : d.orders()) granted += order.runs;
  EXPECT_GT(granted, 0U);
}

TEST(Dispatcher, FewerPartsIfTheirRunsDoNotCount) {
  for (const bool in_vain : {false, true}) {
    Dispatcher d = with_known_sizes();
    d.tell(1, {.runs = 1000, .discarded = in_vain ? 900U : 0U, .outlook = 1000});
    d.tell(0, seems(1e6));
    EXPECT_THAT(d.orders(), SizeIs(in_vain ? 0 : 1)) << in_vain;
  }
}

TEST(Dispatcher, FewerPartsWhereRunsSeemToBeInVain) {
  for (const double in_vain : {0.0, 0.2}) {
    Dispatcher d(2, {item("", 1000)}, any);
    d.orders();
    d.split(0, Halves{"a", "b", in_vain}, Dispatcher::Why::ordered);
    // A sixth is a part, or a half.
    EXPECT_EQ(d.orders().at(0).what, in_vain == 0 ? What::split : What::explore);
  }
}

// Engines that explore nothing: a cube is a number of runs, and halves add up to it.
class Fake {
 public:
  Fake(std::size_t engines, std::uint64_t size, std::uint64_t runs, unsigned seed)
      : dispatcher_(engines, {item(std::to_string(size), 0)}, runs), random_(seed), work_(engines) {
    left_ = size;
  }

  void run() {
    for (int step = 0;; ++step) {
      ASSERT_LT(step, 200'000) << "no end";
      now_ += 0.01;
      dispatcher_.pass(now_);
      for (const Order& order : dispatcher_.orders()) obey(order);
      check();
      if (!dispatcher_.is_working()) break;
      act(random_() % work_.size());
      if (stop_at_ != 0 && step == stop_at_) dispatcher_.stop();
    }
  }

  std::uint64_t done() const { return done_; }  // of cubes that were completed
  std::uint64_t used() const { return used_; }  // runs that were not in vain
  void stop_at(int step) { stop_at_ = step; }
  Dispatcher& dispatcher() { return dispatcher_; }

 private:
  struct Work {
    std::uint64_t size = 0, before = 0, made = 0, granted = 0;  // made: with those before
    bool splits = false, gives_up = false, stops = false, asks = false;
  };

  void obey(const Order& order) {
    Work& w = work_[order.engine];
    switch (order.what) {
      case What::explore:
      case What::split:
        ASSERT_EQ(w.size, 0U) << "it has a cube";
        w = {.size = std::stoull(order.item.cube), .granted = order.runs};
        if (!order.item.partial.is_null()) w.before = w.made = order.item.partial;
        w.splits = order.what == What::split;
        break;
      case What::give_up:
        w.gives_up = true;
        break;
      case What::stop:
        w.stops = true;
        break;
      case What::runs:
        if (order.runs == 0) w.stops = true;
        w.granted += order.runs == any ? 0 : order.runs;
        w.asks = false;
        break;
    }
  }

  // Nothing is lost, and nothing is there twice.
  void check() {
    std::uint64_t sum = 0;
    for (const Item& i : dispatcher_.left()) sum += std::stoull(i.cube);
    ASSERT_EQ(sum + done_, left_);
  }

  void act(std::size_t k) {
    Work& w = work_[k];
    if (w.size == 0) return;
    if (random_() % 50 == 0) {
      EXPECT_GT(dispatcher_.lose(k), 0U);
      w = {};
    } else if (w.splits || (w.gives_up && w.size > 1)) {
      give_up(k);
    } else if (w.stops) {
      used_ += w.made - w.before;
      dispatcher_.put_back(k, w.made, w.made - w.before);
      w = {};
    } else if (!w.asks) {
      explore(k);
    }
  }

  void give_up(std::size_t k) {
    const std::uint64_t size = work_[k].size, part = size < 2 ? 0 : 1 + random_() % (size - 1);
    work_[k] = {};
    if (part == 0)
      dispatcher_.split(k, {}, Dispatcher::Why::ordered);
    else
      dispatcher_.split(k, Halves{std::to_string(part), std::to_string(size - part)},
                        random_() % 8 == 0 ? Dispatcher::Why::too_large : Dispatcher::Why::ordered);
  }

  void explore(std::size_t k) {
    Work& w = work_[k];
    const std::uint64_t wanted = std::min<std::uint64_t>(w.made + 40, w.size);
    w.made = w.granted == any ? wanted : std::min(wanted, w.before + w.granted);
    if (w.made == w.size) {
      done_ += w.size;
      used_ += w.made - w.before;
      dispatcher_.complete(k, w.made - w.before);
      w = {};
    } else if (w.made < wanted) {
      w.asks = true;
      dispatcher_.ask_for_runs(k);
    } else {
      const double outlook = static_cast<double>(w.made + random_() % (2 * w.size));
      dispatcher_.tell(k, {.runs = w.made, .outlook = outlook, .divisible = w.size > 1});
    }
  }

  Dispatcher dispatcher_;
  std::mt19937 random_;
  std::vector<Work> work_;
  std::uint64_t left_ = 0, done_ = 0, used_ = 0;
  double now_ = 0;
  int stop_at_ = 0;
};

TEST(DispatcherInAnyOrder, NothingIsLostOrTwice) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    Fake fake(1 + seed % 9, 1 + seed * 20, any, seed);
    fake.run();
    ASSERT_EQ(fake.done(), std::max(1U, 1 + seed * 20)) << seed;
    ASSERT_THAT(fake.dispatcher().left(), IsEmpty()) << seed;
  }
}

TEST(DispatcherInAnyOrder, ALimitIsKept) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Fake fake(1 + seed % 5, 3000, 1000, seed);
    fake.run();
    ASSERT_LE(fake.used(), 1000U) << seed;
    ASSERT_THAT(fake.dispatcher().left(), Not(IsEmpty())) << seed;
  }
}

TEST(DispatcherInAnyOrder, WhatIsStoppedIsKept) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Fake fake(1 + seed % 9, 3000, any, seed);
    fake.stop_at(1 + static_cast<int>(seed));
    fake.run();
    ASSERT_TRUE(fake.dispatcher().stops());
    ASSERT_FALSE(fake.dispatcher().is_working());
  }
}

}  // namespace
}  // namespace heddle::parallel
