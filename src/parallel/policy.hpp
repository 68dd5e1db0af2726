// When to split, and into how many parts. bench/cubes_bench.cpp replays recorded sizes of cubes
// with these rules for up to 1,024 engines.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/result.hpp"
#include "parallel/choose.hpp"

namespace heddle::parallel {

// An exploration that takes less than this is not worth a second process. (Starting one takes about
// 5 ms, and what has been explored by then is thrown away.)
inline constexpr double alone_for = 0.05;  // seconds

// An outlook tells something after this number of runs. It is few, as they are lost if the cube is
// split then.
inline constexpr std::uint64_t enough_to_judge = 30;

// A cube that turns out to be too large is given up only if what is done of it is less than this
// share of the rest.
inline constexpr double most_lost = 0.2;

// Into how many parts the share of each engine is split, so that the last of them end at about one
// time, and surprises find engines that are free. The more engines there are, the more wait for the
// last. But each split makes runs dearer, as fewer of them have their beginning in common (6 % for
// permutations of nine steps). If runs do not count because they belong to other parts, more parts
// have more of those: then it is a part for each, or fewer.
inline double parts_per_share(std::size_t engines, double in_vain = 0) {
  constexpr double most = 8, least = 0.1, caution = 10;
  const double parts = std::min(2 * std::log2(static_cast<double>(engines)), most);
  return std::max(parts / (1 + caution * in_vain), least);
}

// A cube of fewer runs is not split before it is begun: that takes some runs (choose.hpp).
inline constexpr double worth_splitting = 32.0 * sampled_runs;

// Neither is one of less than this share of what an engine has explored: others will not wait for
// it for longer than that.
inline constexpr double worth_waiting_for = 1.0 / 64;

// For a cube whose tree has become too large after `done` runs. The outlook tends to be low, and a
// part that becomes too large again costs as many runs as this one did, so there are many parts.
inline std::size_t parts_for_memory(double done, double outlook) {
  constexpr double least = 32, most = 1024;
  return static_cast<std::size_t>(
      std::clamp(least * std::round(outlook / std::max(done, 1.0)), least, most));
}

// For a cube that has been explored for long, so that little is lost if it is stopped: what is done
// of a part is kept. States that parts have in common are explored in each, so there are few.
inline constexpr std::size_t parts_for_saving = 2;

// A cube that is being explored while others have nothing to do.
struct Busy {
  double done = 0;       // runs
  double outlook = 0;    // runs in all
  double seconds = 0;    // since it was begun
  double in_common = 0;  // see Division
};

// Whether an exploration that one engine has begun is worth the start of others. If there seems to
// be little left, that can be waited for, though not for long: outlooks are low at first. So one
// that is high is believed at once, and one that stays ahead of what is done is not waited for.
class Sharing {
 public:
  bool is_worth_it(const Busy& whole) {
    constexpr double at_once = 0.3 * alone_for, half = alone_for / 2, patience = 2 * alone_for;
    const double rest = whole.outlook - whole.done;
    const double seconds = rest * whole.seconds / std::max(whole.done, 1.0);
    if (whole.seconds > half) rest_at_half_ = rest_at_half_.value_or(rest);
    if (whole.seconds < at_once) return false;
    if (whole.seconds < alone_for) return seconds > 10 * alone_for;
    return whole.seconds > patience || seconds > 2 * alone_for || rest > rest_at_half_;
  }

 private:
  std::optional<double> rest_at_half_;  // runs
};

// The same for a graph of states, which does not tell how large it will become. If most runs end in
// states that are known, halves have much in common, and two engines gain a quarter at best: then
// only an exploration that has taken long already is worth it.
inline bool is_worth_sharing_states(const Counts& so_far, double seconds) {
  constexpr double few = 0.1, soon = 2 * alone_for, late = 2;
  const auto runs = static_cast<double>(std::max<std::uint64_t>(so_far.runs(), 1));
  return seconds > (static_cast<double>(so_far.merged) < few * runs ? soon : late);
}

// Whether it is worth giving up: `hungry` engines have had nothing to do for `waited` seconds.
// Either the rest of it would take longer than all of it takes if they share it. Or they have
// waited for as long as it has been explored: then no more is lost than has been lost already,
// whatever is left of it.
inline bool is_worth_splitting(const Busy& cube, std::size_t hungry, double waited) {
  if (cube.seconds < alone_for) return false;
  const double each = cube.seconds / std::max(cube.done, 1.0);
  const double rest = std::max(cube.outlook - cube.done, 0.0) * each;
  const double shared =
      cube.outlook * (1 + cube.in_common) * each / static_cast<double>(hungry + 1);
  constexpr double margin = 0.8;  // halves are never of one size
  return (rest > alone_for && shared < margin * rest) || waited > cube.seconds;
}

}  // namespace heddle::parallel
