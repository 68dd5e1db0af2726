// Explores a program in several ways that must come to the same, and compares.
//
// Every way has its own judge: the algorithms are compared with `optimal` and with every
// interleaving, what is taken over from one run to the next with runs from the beginning, what is
// left invisible with everything being visible, and loops that wait with the same loops going round
// a few times. The latter are no loops that wait to Heddle: nothing is left out of them. Parts that
// share nothing are compared with the whole that they are parts of.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "fuzz/builds.hpp"
#include "fuzz/program.hpp"
#include "native/exploration.hpp"

namespace heddle::fuzz {

// One way to explore a program.
struct Mode {
  std::string_view name;
  std::string_view options;  // of heddle check, besides --algorithm
  std::string_view algorithm = "observers";
  void (*set)(native::Options& options) = [](native::Options&) {};
  Bound bound = 0;
  int level = 0;          // 0: that of the program
  bool is_slow = false;   // so one program of many is enough
  bool in_parts = false;  // and compared with the whole: see parts.hpp
};

// The first is what the others are compared with.
std::span<const Mode> modes();

// What came of a program in one mode.
struct View {
  bool complete = false;
  bool wrong = false;  // a data race or the like: then no outcome counts
  native::SeenRaces races;
  std::set<std::string> outcomes;  // of runs that come to their ends, or to a deadlock
  std::string oddity;              // what no program of ours can bring about
};

struct Difference {
  std::string what;
  const Mode* mode = nullptr;  // that differs from the first
  Bound bound = 0;
  View expected, got;  // by this mode, and by the first
};

class Judge {
 public:
  // Nothing: no difference, or the programs are too large. They are explored together, as
  // Builds::command() has them: to start takes longer than to explore a small one. Compares with
  // `only`, if it is given, else with those modes that `seed` chooses.
  std::optional<Difference> check(std::span<const Program> programs, std::uint64_t seed,
                                  const Mode* only = nullptr);

  std::uint64_t executions() const { return executions_; }
  std::uint64_t explorations() const { return explorations_; }
  std::uint64_t too_large() const { return too_large_; }
  std::uint64_t compiled() const { return builds_.compiled(); }
  // Kinds of loops that wait, that came to the same as with a bound.
  std::size_t compared_waits() const { return compared_waits_.size(); }

 private:
  native::Options options_for(std::span<const Program> programs, const Mode& mode, Bound bound);
  View explore(std::span<const Program> programs, const Mode& mode, Bound bound);
  std::optional<Difference> check_parts(std::span<const Program> programs, std::uint64_t seed,
                                        const Mode* only);
  std::optional<Difference> compare_with_some(std::span<const Program> programs, const View& base,
                                              std::uint64_t seed);
  std::optional<Difference> compare(std::span<const Program> programs, const View& base,
                                    const Mode& mode, std::uint64_t seed);
  std::optional<Difference> compare_races(const View& base, const View& other, const Mode& mode);
  std::optional<Difference> compare_in_parts(std::span<const Program> programs, const Mode& mode,
                                             std::uint64_t seed);
  std::optional<Difference> compare_bounded(std::span<const Program> programs, const View& base,
                                            const Mode& mode);
  void note_compared(std::span<const Program> programs);

  Builds builds_;
  std::set<std::size_t> compared_waits_;
  std::uint64_t executions_ = 0, explorations_ = 0, too_large_ = 0;
};

}  // namespace heddle::fuzz
