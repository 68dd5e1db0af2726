// An exploration that takes an hour, made of recorded ones.
//
// What is recorded has some 10,000 runs. A subject puts recorded explorations of one family below
// each other: each run of the upper one stands for a whole exploration of the lower one. So sizes
// multiply, and a cube of the upper one that was not split any more is split as the lower one was.
// The last ones are recorded cubes, of which every run counts, whose sizes are next to what is
// still needed.
//
// Invariant: the counted runs of the halves of a place add up to those of the place.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cubes/recorded.hpp"

namespace heddle::cubes {

// A cube of a subject: of each level, a recorded cube.
using Place = std::vector<std::size_t>;

std::string to_text(const Place& place);

class Subject {
 public:
  // About this number of runs. REQUIRES: `of` outlives it.
  Subject(const Recorded& of, double wanted);

  Place whole() const { return roots_; }
  // The whole if the text is empty.
  Place place_of(const std::string& text) const;

  std::size_t splits(const Place& place) const;  // of the whole, until there is this place
  double runs(const Place& place) const;
  double counted(const Place& place) const;
  // How many runs a place seems to have when this number is done: the product of what each level
  // told after its share of them.
  double outlook(const Place& place, double done) const;
  struct Halves {
    Place first, second;
    double in_vain = 0;  // as in parallel::Halves
  };
  // By the level where that costs least, as far as a few runs told.
  std::optional<Halves> halves(const Place& place) const;

  // Of a tree, after this number of runs: a power of the number, through the recorded whole and
  // the cubes of it that have about an eighth of its runs.
  double nodes(double done) const;
  // After how many runs a tree has this number of nodes.
  double runs_until(double nodes) const;

 private:
  const RecordedCube& cube(std::size_t index) const { return of_.cubes[index]; }

  const Recorded& of_;
  Place roots_;
  double power_ = 0;
};

}  // namespace heddle::cubes
