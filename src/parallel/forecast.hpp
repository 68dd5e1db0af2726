// How many runs cubes have, by what became of others.
//
// An estimate is relative: a half of a cube has a half of what the cube has. (Whatever random runs
// tell about the sizes of halves is further off: docs/decisions/0023.) Cubes that are done say how
// many runs that is.
#pragma once

#include <algorithm>
#include <limits>

#include "parallel/choose.hpp"

namespace heddle::parallel {

class Forecast {
 public:
  // False: there is nothing to tell how many runs an estimate stands for.
  bool is_known() const { return estimated_ > 0 || least_ > 0; }
  double runs(double estimate) const { return estimate * factor(); }
  double estimate(double runs) const { return runs / factor(); }

  // A cube of this estimate had this number of runs.
  void note(double estimate, double runs) {
    if (estimate <= 0) return;
    estimated_ += estimate;
    made_ += runs;
    least_ = 0;
  }
  // The tree of one was too large after this number. How much larger it would have become is not
  // known; if it is taken for this much, few trees are tried in vain until one is not too large.
  void note_too_large(double estimate, double runs) {
    constexpr double larger = 4;
    too_large_ = std::min(too_large_, runs);
    if (estimated_ == 0 && estimate > 0) least_ = std::max(least_, larger * runs / estimate);
  }

  // A cube that seems to have more runs is split before it is begun. To split once more than needed
  // costs few runs, and to explore in vain costs all of them; so this is a small part of what was
  // too large, as long as it is many times what a split costs.
  double fits() const {
    constexpr double part = 1.0 / 16, cheap = 100.0 * sampled_runs;
    return std::max(part * too_large_, std::min(outgrows(), cheap));
  }
  // A cube that is being explored, and seems to have more in all, is given up if little is done.
  double outgrows() const { return too_large_ / 2; }

 private:
  double factor() const {
    return !is_known() ? 1 : std::max(estimated_ > 0 ? made_ / estimated_ : 0, least_);
  }

  double estimated_ = 0, made_ = 0;  // of cubes that are done
  double least_ = 0;                 // of the factor, until one is done
  double too_large_ = std::numeric_limits<double>::infinity();
};

}  // namespace heddle::parallel
