// Which engine explores which cube, and what is split when: decided as a value, without clocks,
// processes or messages. Events go in, orders come out. The pool has the processes (pool.hpp); a
// simulation has the same decisions for recorded cubes (bench/cubes/simulate.hpp). Why the rules
// are these: docs/decisions/0023-a-half-is-a-half.md.
//
// Nothing is probed. A half is taken for one half of its cube; cubes that are done say how many
// runs that is. What is too large by that is split unseen, so that engines have several parts each
// at any time, which become smaller as less is left.
//
// Invariants:
// - Each cube that is not done is open, or is being explored or split by exactly one engine.
// - An engine that dies has done nothing: its cube is open again.
// - Runs that are granted and those that are left add up to those that are allowed, less those of
//   cubes that are done or put back.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "parallel/control.hpp"
#include "parallel/forecast.hpp"

namespace heddle::parallel {

// What an engine is to do.
struct Order {
  enum class What : std::uint8_t {
    explore,  // the item, with this number of runs
    split,    // the item, without exploring it
    give_up,  // what it explores, and split that
    stop,
    runs,  // this number more; none: stop
  };
  std::size_t engine = 0;
  What what = What::explore;
  Item item = {};
  std::uint64_t runs = 0;
};

class Dispatcher {
 public:
  // How far an engine is with its cube.
  struct Told {
    std::uint64_t runs = 0;
    std::uint64_t discarded = 0;  // of those, runs that do not count
    double outlook = 0;           // runs in all
    bool divisible = false;       // it has a pair of steps to split the cube by
  };

  // REQUIRES: engines > 0 and processors > 0. `runs` is the number that may be made. If there are
  // fewer processors than engines, no more engines have cubes at once, and the others stand by.
  Dispatcher(std::size_t engines, std::vector<Item> open, std::uint64_t runs,
             std::size_t processors = std::numeric_limits<std::size_t>::max(),
             const Division& division = {});

  // What happened. REQUIRES, of events of an engine: it has a cube, and explores it if it tells
  // something, asks for runs or has completed it.
  void pass(double now) { now_ = now; }  // seconds; they never become less
  void tell(std::size_t engine, const Told& told);
  void ask_for_runs(std::size_t engine);
  // The cube is done; this number of runs was made since it was ordered.
  void complete(std::size_t engine, std::uint64_t runs);
  // It is not, and is not to be split: the engine was asked to stop, found something, or had no
  // more runs.
  void put_back(std::size_t engine, Json partial, std::uint64_t runs);
  // It was given up, as ordered, or because its tree was too large. No halves: there is no pair of
  // steps to split it by.
  enum class Why : std::uint8_t { ordered, too_large };
  void split(std::size_t engine, const std::optional<Halves>& halves, Why why);
  // The engine died, and another is in its place. Returns how many have died of the cube that it
  // had.
  unsigned lose(std::size_t engine);
  // No cube is handed out any more, and all engines are to stop.
  void stop() { stops_ = true; }

  // What is to be done now, after what happened. Each order is given once.
  std::vector<Order> orders();

  bool stops() const { return stops_; }
  bool is_working() const { return working_ != 0; }
  bool has_cube(std::size_t engine) const { return engines_[engine].state != State::idle; }
  bool is_exploring(std::size_t engine) const { return engines_[engine].state == State::exploring; }
  // Whether some engines have nothing to do, and others have.
  bool is_hungry() const { return working_ != 0 && working_ < engines_.size(); }
  std::size_t open() const { return open_.size(); }  // cubes that wait
  // What is left to do; cubes that engines have are as when they were ordered. Estimates are of
  // runs.
  std::vector<Item> left() const;
  const Item& item(std::size_t engine) const { return engines_[engine].item; }
  double rest() const;  // runs that seem to be left
  std::uint64_t thrown_away() const { return thrown_away_; }

 private:
  enum class State : std::uint8_t { idle, exploring, splitting };
  struct Engine {
    State state = State::idle;
    bool asked = false;    // to give up
    bool stopped = false;  // it was asked to stop
    Item item = {};
    double since = 0;
    Told told = {};
    double rest = 0;  // runs
    std::uint64_t granted = 0;
  };

  using Rank = std::pair<int, double>;  // fewest deaths, then the estimate

  bool may_be_given_up(const Engine& e) const;
  bool is_too_long(const Engine& e) const;
  void put(Item item);
  Item take_next();
  Item end(Engine& engine, std::uint64_t used);
  void set_rest(Engine& engine, double rest);
  void judge(Engine& engine);
  std::uint64_t grant(Engine& engine);
  Order begin(std::size_t engine);
  bool is_too_large(const Item& item) const;
  bool is_too_large(const Engine& engine) const;
  double share() const;
  void stop_all(std::vector<Order>& orders);
  void hand_out(std::vector<Order>& orders);
  void split_large(std::vector<Order>& orders);
  void split_for_hungry(std::vector<Order>& orders);

  std::vector<Engine> engines_;
  std::size_t at_once_;  // of these, as many as have a processor
  const Division division_;
  std::multimap<Rank, Item> open_;
  std::uint64_t runs_;
  Forecast forecast_;
  std::vector<Order> grants_;       // that were asked for
  std::vector<std::size_t> heard_;  // engines that told something since the last orders
  double now_ = 0, hungry_since_ = 0;
  double rest_open_ = 0, rest_explored_ = 0;  // runs
  double made_ = 0, discarded_ = 0;           // runs, of all that was told
  double all_ = 0, in_vain_ = 0;              // estimates: of all, and of what is in both halves
  std::size_t working_ = 0;
  std::uint64_t thrown_away_ = 0;
  bool stops_ = false;
};

}  // namespace heddle::parallel
