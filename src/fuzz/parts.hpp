// A compiled program explored in parts that share nothing, cubes (model/cube.hpp): what they add up
// to must be what the whole program has.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "base/resources.hpp"
#include "core/algorithm.hpp"
#include "native/exploration.hpp"

namespace heddle::fuzz {

struct Explored {
  Counts counts;
  native::Outcomes outcomes;         // of runs that count
  native::SeenRaces races;           // by the graph of states, if there is one
  std::set<abi::Finding> elsewhere;  // in runs that do not
  bool complete = true;
  std::string oddity;  // what no program can bring about

  // What another part has.
  Explored& operator+=(const Explored& other);
};

// Explores parts of one program, with one worker.
class PartExplorer {
 public:
  PartExplorer(const Algorithm& algorithm, const native::Options& options)
      : algorithm_(algorithm), options_(options), worker_(options.command) {}

  // These throw Learned: then what steps are has changed, and all parts are void.
  Explored explore(const Cube& cube);
  // Parts that have every trace of the program once, split up to `depth` times one after the other,
  // by pairs of steps of random runs. Most depend on each other there; some have nothing to do with
  // each other.
  std::vector<Cube> random_cubes(Random& random, std::size_t depth);

  native::SharedNames& names() { return worker_.names(); }

 private:
  native::NativeRunner runner_of(const Cube& cube);

  const Algorithm& algorithm_;
  const native::Options& options_;
  native::Worker worker_;
  native::Knowledge knowledge_;
  Stopwatch clock_;
};

// The whole, and parts of it that are chosen at random, with the same algorithm and the same
// knowledge.
struct InParts {
  Explored whole, parts;
  std::string cubes;  // in words

  // How the two differ, in words. `exact`: each trace is run once, so that numbers count.
  std::string difference(bool exact) const;
  // The same for data races. Outcomes do not count where there are some.
  std::string difference_in_races() const;
};
InParts explore_in_parts(const Algorithm& algorithm, const native::Options& options,
                         std::uint64_t seed);

}  // namespace heddle::fuzz
