// How much of a job a worker explores at a time. Each decides for itself: a cube says how often the
// program was split to have it, and what this worker has explored says how many runs that is.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/random.hpp"
#include "parallel/forecast.hpp"
#include "parallel/policy.hpp"

namespace heddle::cluster {

class Portions {
 public:
  // `in_common`: see parallel::Division.
  explicit Portions(double in_common = 0) : in_common_(in_common) {}

  // Into how many parts to split a cube before it is begun, after this number of splits; 1: it is
  // to be explored. A few at once, so that others can split these on. In all, there are to be
  // `least`.
  std::size_t parts(std::size_t splits, std::size_t workers, std::size_t least) const {
    constexpr double most_at_once = 16;
    // As long as it is not known how many runs they have, they may be too few to be worth it. What
    // parts have in common is explored in each.
    const double for_each = in_common_ > 0 ? 1 : forecast_.is_known() ? 32 : 8;
    const double share = share_after(splits);
    double parts =
        share * std::max(for_each * static_cast<double>(workers), static_cast<double>(least));
    // If it is known how many runs that is: they have to be worth it, and to fit into a tree.
    if (const double runs = forecast_.runs(share); forecast_.is_known())
      parts = std::max(std::min(parts, runs / parallel::worth_splitting), runs / forecast_.fits());
    return parts < 2 ? 1 : static_cast<std::size_t>(std::min(std::ceil(parts), most_at_once));
  }

  // The job as a busy worker sees it.
  struct Others {
    std::size_t open = 0;    // cubes
    std::size_t hungry = 0;  // workers
    double waited = 0;       // seconds for which there were some
  };
  // Whether to give up what is explored, and to split it into `parts_for_others`, so that workers
  // that have nothing to do can share it. All that are busy see the same numbers, so each does so
  // at random, and about as many as are needed do.
  bool shares(parallel::Busy cube, std::size_t splits, const Others& others, Random& random) const {
    if (others.hungry == 0) return false;
    cube.in_common = in_common_;
    if (forecast_.is_known())
      cube.outlook = std::max(cube.outlook, forecast_.runs(share_after(splits)));
    const std::size_t needed = others.hungry / (parts_for_others - 1) + 1;
    return parallel::is_worth_splitting(cube, others.hungry, others.waited) &&
           random.below(std::max<std::size_t>(others.open, 1)) < needed;
  }
  static constexpr std::size_t parts_for_others = 4;

  // A cube had this number of runs; or its tree was too large after as many.
  void note_done(std::size_t splits, double runs) { forecast_.note(share_after(splits), runs); }
  void note_too_large(std::size_t splits, double runs) {
    forecast_.note_too_large(share_after(splits), runs);
  }

 private:
  static double share_after(std::size_t splits) { return std::exp2(-static_cast<double>(splits)); }

  const double in_common_;
  parallel::Forecast forecast_;
};

}  // namespace heddle::cluster
