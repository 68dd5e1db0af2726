// What the owner of an exploration decides while it is explored in parts.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "parallel/engine.hpp"

namespace heddle::parallel {

// Of parts, those that do not count included: they have been made.
inline std::uint64_t runs_of(const Counts& c) { return c.runs() + c.discarded; }

struct Progress {
  Counts counts;                    // of the total, and of what is being explored
  std::size_t findings = 0;         // distinct ones of what is being explored
  std::uint64_t open = 0;           // states that have moves to be run, if there is a graph of them
  long memory_kb = 0;               // of other processes than this one
  std::function<double()> outlook;  // runs in all, as far as can be told
};

// How much work a division into parts has cost.
struct Overhead {
  std::uint64_t cubes = 0;        // that were explored to their end
  std::uint64_t thrown_away = 0;  // runs
  unsigned engines = 1;           // that explored, at most
  long memory_kb = 0;             // that they used at most, this process left out

  friend bool operator==(const Overhead&, const Overhead&) = default;
};

// Of algorithms that compare states: 0 to 0.5 were measured, and most where there are locks
// (docs/decisions/0029-merging-in-parts.md).
inline constexpr double states_in_common = 0.5;

using MakeEngine = std::function<std::unique_ptr<Engine>()>;

// What it costs to explore parts rather than the whole, and what is gained besides time.
struct Division {
  // The share of a cube that both of its halves have: parts share nothing, so states that can be
  // reached in both are explored in both. 0: halves have no runs in common but those that
  // Halves::in_vain tells of.
  double in_common = 0;
  // A cube that has been explored for longer than this, and for longer than what was given up to
  // have it, is split, if what is done of it would be lost with this process. In seconds.
  double longest = std::numeric_limits<double>::infinity();
};

// Explores the cubes of `open` in other processes than this one, adds to the total of `own`, and
// leaves in `open` what is left to do.
struct Control;
using Elsewhere =
    std::function<Engine::End(Engine& own, const MakeEngine& make, const Control& control,
                              std::vector<Item>& open, Overhead& overhead)>;

struct Control {
  unsigned engines = 1;
  // What explores once exploring alone has taken a moment; empty: `engines` processes, if that is
  // more than one.
  Elsewhere elsewhere = {};
  bool has_others() const { return engines > 1 || elsewhere; }
  // False: the algorithm does not explore parts.
  bool divisible = true;
  // False: a cube that was stopped is begun again, and what was done of it is lost.
  bool resumable = true;
  Division division = {};
  std::uint64_t most_runs = Look::any_number;
  // More nodes of a tree than this, and the cube is split: memory stays bounded. A node has 112
  // bytes, and a tree of this size 25 MB with what belongs to it.
  std::size_t most_nodes = 150'000;
  // Asked every `Look::every` seconds; false: stop.
  std::function<bool(const Progress&)> may_continue = [](const Progress&) { return true; };
  // Whether to stop, asked while a run is waited for.
  std::function<bool()> is_over = [] { return false; };
  // Asked as often: whether what is left to do is to be handed to `on_save`.
  std::function<bool()> save_now = [] { return false; };
  std::function<void(const std::vector<Item>&)> on_save = {};
};

// Explores the cubes of `open`, the last of them first, until none is left or something else ends
// it; `open` is then what is left to do. The total is that of `own`, which explores alone for a
// moment, so that a small program costs no more than with one engine; then others do, each with an
// engine that `make` makes there.
Engine::End explore(Engine& own, const MakeEngine& make, const Control& control,
                    std::vector<Item>& open, Overhead& overhead);

}  // namespace heddle::parallel
