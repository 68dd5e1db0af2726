// Sizes of cubes that were recorded: the whole of a program, its halves, theirs, and so on until
// they are small. A simulation replays them without exploring anything.
//
// As text, a line for each exploration, and below it one for each cube, halves after the cube they
// are of, which is less deep by one:
//
//   = PROGRAM SIZE ALGORITHM
//   DEPTH COUNTED DISCARDED MICROSECONDS NODES COST IN_VAIN OUTLOOKS
//
// NODES is how many the tree had at most. COST and IN_VAIN are what a few runs told of its halves
// (parallel::Halves), if it was split. OUTLOOKS is a list: what the tree told after as many runs
// as Recorded::looks says, and at the end.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace heddle::cubes {

struct Point {
  double runs = 0;
  double outlook = 0;  // in runs
};

struct RecordedCube {
  unsigned depth = 0;
  std::uint64_t counted = 0, discarded = 0;  // runs
  std::uint64_t microseconds = 0;            // of CPU time
  std::uint64_t nodes = 0;                   // of its tree, at most
  std::vector<Point> points;                 // the last is the end
  // The indices of its halves; none if it was not split.
  std::size_t first = 0, second = 0;
  double cost = 0, in_vain = 0;  // of splitting it, as a few runs told

  double runs() const { return static_cast<double>(counted + discarded); }
  bool is_split() const { return first != 0; }
};

struct Recorded {
  std::string program;
  int size = 0;
  std::string algorithm;
  std::vector<RecordedCube> cubes;  // the first is the whole

  const RecordedCube& whole() const { return cubes.front(); }
  // After how many runs a cube of this number is looked at: 1, 4, 16 and so on, and at the end.
  static std::vector<std::uint64_t> looks(std::uint64_t runs);
};

void write(std::ostream& to, const Recorded& recorded);
// Throws Misuse if the text is not such, or if halves do not add up.
std::vector<Recorded> read(std::istream& from);

}  // namespace heddle::cubes
