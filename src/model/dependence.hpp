// Which accesses of one object depend on each other, and how: one total table.
//
// For two accesses of one object by different threads, the first before the second:
//
//   none      they commute: neither order can be told from the other.
//   race      ordered, and the second could have come first.
//   observed  two writes: ordered, unless nothing observes them (an algorithm without observers
//             treats this as `race`).
//   enables   ordered, and the second had to wait for the first.
//   frees     the first may have been what the second waited for; it is a race exactly if the
//             second could have gone without it.
//   excludes  two that take the same thing: the second waited for what lies between them, and could
//             have come before the first instead. (A lock races with the previous lock of its
//             mutex, not with the unlock between.)
//
// Two accesses are dependent if either order has a relation other than `none`.
#pragma once

#include <array>
#include <cstdint>

#include "model/access.hpp"

namespace heddle {

enum class Relation : std::uint8_t { none, race, observed, enables, frees, excludes };

class Dependence {
 public:
  // The table that is right. Others exist to show that the tests notice.
  static const Dependence& standard();

  Relation relation(const Access& first, const Access& second) const {
    if (first.location != second.location) return Relation::none;
    const Relation r = by_mode(first.mode, second.mode);
    return r == Relation::none || !detailed(first.mode, second.mode) ? r : refine(r, first, second);
  }

  Relation by_mode(Mode first, Mode second) const {
    return table_[static_cast<std::size_t>(first)][static_cast<std::size_t>(second)];
  }

  bool dependent(const Access& x, const Access& y) const {
    return relation(x, y) != Relation::none || relation(y, x) != Relation::none;
  }

  // The same for modes; a detail may still make them independent.
  bool dependent(Mode x, Mode y) const {
    return dependent_[static_cast<std::size_t>(x)][static_cast<std::size_t>(y)];
  }

  // A later access of this mode, ordered after one of mode `earlier`, stands for it: whatever
  // would have to be compared with the earlier can be compared with the later alone.
  bool stands_for(Mode later, Mode earlier, bool observers) const {
    return stands_for_[observers][static_cast<std::size_t>(later)]
                      [static_cast<std::size_t>(earlier)];
  }

  // Whether more than the modes decides: which call left the token of a condition, the generation
  // of a barrier, the message of a mailbox.
  static constexpr bool detailed(Mode x, Mode y) { return detail(x) && detail(y); }

  // A copy in which this pair of modes, in either order, is independent.
  Dependence without(Mode x, Mode y) const;

 private:
  Dependence() = default;
  static constexpr std::uint64_t bit(Mode m) {
    return std::uint64_t{1} << static_cast<unsigned>(m);
  }
  static constexpr bool detail(Mode m) {
    constexpr std::uint64_t all = bit(Mode::signal) | bit(Mode::broadcast) | bit(Mode::wake) |
                                  bit(Mode::wake_all) | bit(Mode::arrive) | bit(Mode::leave) |
                                  bit(Mode::send) | bit(Mode::receive) | bit(Mode::try_receive) |
                                  bit(Mode::try_receive_none);
    static_assert(mode_count <= 64);
    return (all & bit(m)) != 0;
  }
  static Relation refine(Relation r, const Access& first, const Access& second);
  static bool refine_condition(const Access& first, const Access& second);
  static bool takes_all(Mode later);
  void derive();

  std::array<std::array<Relation, mode_count>, mode_count> table_{};
  std::array<std::array<bool, mode_count>, mode_count> dependent_{};
  std::array<std::array<std::array<bool, mode_count>, mode_count>, 2> stands_for_{};
};

}  // namespace heddle
