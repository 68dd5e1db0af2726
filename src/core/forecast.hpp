// How many runs an exploration will have in all: a range, or nothing.
//
// The tree tells how many there are if what has not been run is like what lies beside it
// (Tree::outlook). Branches that have not been discovered yet are missing from that; where the
// leftmost work is done first, most of them come late, and high up in the tree. So the number grows
// with the runs that have been done, and one look at it says little. What it has been, says more:
// as long as it follows the runs, it means nothing; once it has stayed about the same while these
// became many times as many, it can be believed, and how much it moved tells how far.
// bench/forecast_bench.cpp measures how often the range holds the truth.
#pragma once

#include <optional>
#include <vector>

namespace heddle {

class Forecast {
 public:
  struct Range {
    double low, high;  // runs in all
  };

  // What the tree estimates after this number of runs. Fewer than before: it was begun anew.
  void note(double runs, double told);

  // As of the last note.
  std::optional<Range> range() const;

 private:
  struct Point {
    double runs, told;
  };
  std::vector<Point> points_;  // by runs, far apart; of those that are too old, the last
};

}  // namespace heddle
