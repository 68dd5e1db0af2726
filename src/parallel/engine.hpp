// An engine: explores cubes of one program, one at a time, in the process that has it.
//
// All that explores in parts is written against this: alone (solo.hpp), several processes
// (pool.hpp), files and a broker. What an engine brings is opaque to them: they say which cube to
// explore, when to stop, and what to keep.
//
// Promises:
// - What is done of a cube is added to the total only by keep() or add(), so that a cube can be
// given
//   up, or explored again elsewhere, and nothing counts twice.
// - A yield, a cube and knowledge, as text and JSON, mean the same to every engine of the program.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/result.hpp"

namespace heddle::parallel {

using Json = nlohmann::ordered_json;

// How often the whole program was split to have this cube: engines write a word for each time.
inline std::size_t splits_of(std::string_view cube) {
  const auto words = std::ranges::count(cube, ' ') + (cube.empty() ? 0 : 1);
  return static_cast<std::size_t>(words);
}

// A cube that is to be explored.
struct Item {
  std::string cube;       // as the engine writes it; empty: the whole program
  Json partial = {};      // what has been done of it (Engine::yield), or null
  double estimate = 0;    // of its runs, 0: not known
  unsigned deaths = 0;    // of engines that explored it
  bool divisible = true;  // false: it is known to have no pair of steps to split it by
  // How often the cubes that it is a part of were explored and given up, and for how many seconds.
  unsigned times_given_up = 0;
  double given_up = 0;
};

// Two cubes that have all that one has.
struct Halves {
  std::string first, second;
  // The share of its runs that the second seems to have, too, where they do not count. It is a
  // guess.
  double in_vain = 0;
  double cost = 0;  // of splitting by this pair of steps, to be compared with that of others
};

// What an engine asks while it explores.
class Look {
 public:
  enum class Asked : std::uint8_t {
    proceed,
    stop,     // and keep what is left to do
    give_up,  // all that was done of this cube: it is to be split
  };
  struct Live {
    Counts counts;                    // of the cube so far
    std::size_t findings = 0;         // distinct ones
    bool divisible = false;           // a pair of steps turned up by which the cube can be split
    std::size_t nodes = 0;            // of the tree
    std::uint64_t open = 0;           // states of the graph that have moves to be run
    std::function<double()> outlook;  // how many runs the cube has, as far as can be told
  };

  virtual ~Look() = default;
  // Called about every `every` seconds, and when one is waited for.
  virtual Asked look(const Live& live) = 0;
  static constexpr double every = 0.01;
  // It is also called after this number of runs, whatever time it is. 0: it is not.
  virtual std::uint64_t look_after() const { return 0; }
  // Called when the number of runs that were allowed is used up: how many more. None: stop.
  virtual std::uint64_t more_runs() = 0;
  // Whether the yield so far is wanted now, in case this process is killed; and that.
  virtual bool save_now() { return false; }
  virtual void save(const Json&) {}
  // Whether to stop at once. For code that waits for a run; called a few times a second.
  virtual bool is_over() = 0;

  static constexpr std::uint64_t any_number = std::numeric_limits<std::uint64_t>::max();
};

class Engine {
 public:
  enum class End : std::uint8_t {
    complete,
    stopped,   // as asked, or because no more runs were allowed
    given_up,  // as asked
    found,     // a finding at which the exploration is to stop
    learned,   // something about the program, by which all that was explored is void
  };
  struct Explored {
    End end = End::complete;
    double outlook = 0;  // runs of the cube
  };

  virtual ~Engine() = default;

  // Explores the cube, or what is left of it.
  virtual Explored explore(const Item& item, Look& look) = 0;
  // By a pair of steps of one of its runs. None if no such pair turned up. May throw Learned.
  virtual std::optional<Halves> halves(const std::string& cube) = 0;

  // What the last call of `explore` has brought, with what is left to do if it is not complete: an
  // object with `counts` among its members.
  virtual Json yield() = 0;
  // Adds it to the total.
  virtual void keep() = 0;
  // Adds a yield of another engine.
  virtual void add(const Json& yield) = 0;
  virtual Counts total() const = 0;
  // The total, as a yield; and to empty it.
  virtual Json sum() = 0;
  virtual void forget() = 0;

  // What was learned about the program; and to take over what another engine has learned. That
  // empties the total.
  virtual Json knowledge() = 0;
  virtual void learn(const Json& knowledge) = 0;
};

}  // namespace heddle::parallel
