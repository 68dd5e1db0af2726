// When to split, and into how many parts. bench/cubes_bench.cpp replays recorded sizes of cubes
// with these rules for up to 1,024 engines.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "parallel/split.hpp"

namespace heddle::parallel {

// An exploration that takes less than this is not worth a second process. (Starting one takes about
// 5 ms, and what has been explored by then is thrown away.)
inline constexpr double alone_for = 0.05;  // seconds

// With this number of parts for each engine, the last of them are a small share of the work, even
// where some are several times as large as others.
inline constexpr std::size_t parts_per_engine = 16;

// Into how many parts a cube is split before it is begun, if all has about `all` runs. None: it is
// to be explored. While one engine splits the whole, the others wait, so that is into a few parts;
// those that are large are split on by the engines that take them. Where runs are in vain in all
// parts but one, it is better to have fewer, and to split the last of them once an engine has
// nothing to do.
inline Wanted parts_of(const Item& cube, double all, std::size_t engines) {
  constexpr double most_at_once = 64, too_large = 4;
  const double part = all / static_cast<double>(parts_per_engine * engines);
  const bool whole = cube.cube.empty();
  const bool splits = whole || cube.estimate > too_large * part;
  if (!splits || !cube.divisible || !cube.partial.is_null()) return {0, 0};
  const double parts = std::clamp(std::ceil(cube.estimate / part), 2.0, most_at_once);
  const std::size_t least = whole ? 2 * engines : 1;
  return {static_cast<std::size_t>(parts), std::min(least, static_cast<std::size_t>(parts))};
}

// For a cube whose tree has become too large after `done` runs. The outlook tends to be low, and a
// part that becomes too large again costs as many runs as this one did, so there are many parts.
inline std::size_t parts_for_memory(double done, double outlook) {
  constexpr double least = 32, most = 1024;
  return static_cast<std::size_t>(
      std::clamp(least * std::round(outlook / std::max(done, 1.0)), least, most));
}

// A cube that is being explored while others have nothing to do.
struct Busy {
  double done = 0;     // runs
  double outlook = 0;  // runs in all
  double seconds = 0;  // since it was begun
};

// Whether an exploration that one engine has begun is worth the start of others. If there seems to
// be little left, that can be waited for, though not for long: outlooks are low at first.
inline bool is_worth_sharing(const Busy& whole) {
  constexpr double patience = 2 * alone_for;
  const double each = whole.seconds / std::max(whole.done, 1.0);
  return whole.seconds > patience || (whole.outlook - whole.done) * each > 2 * alone_for;
}

// Whether it is worth giving up: `hungry` engines have had nothing to do for `waited` seconds.
// Either the rest of it would take longer than all of it takes if they share it. Or they have
// waited for as long as it has been explored: then no more is lost than has been lost already,
// whatever is left of it.
inline bool is_worth_splitting(const Busy& cube, std::size_t hungry, double waited) {
  if (cube.seconds < alone_for) return false;
  const double each = cube.seconds / std::max(cube.done, 1.0);
  const double rest = std::max(cube.outlook - cube.done, 0.0) * each;
  const double shared = cube.outlook * each / static_cast<double>(hungry + 1);
  constexpr double margin = 0.8;  // halves are never of one size
  return (rest > alone_for && shared < margin * rest) || waited > cube.seconds;
}

inline Wanted parts_for_hungry(std::size_t hungry) { return {4 * (hungry + 1), hungry + 1}; }

}  // namespace heddle::parallel
