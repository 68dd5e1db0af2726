// Footprints: the set of accesses of one step, kept once and named by a small number.
//
// Programs have few different footprints, and algorithms compare them all the time: an event is
// then a few bytes, copied freely, and a comparison is a look at two table rows.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/access.hpp"
#include "model/dependence.hpp"

namespace heddle {

using FootprintId = std::uint32_t;

// How the accesses of the same step may differ when other steps come before it.
enum class Varies : std::uint8_t {
  no,        // never
  mode,      // the same objects, used in another way (a compare-and-swap, a try-lock)
  anything,  // other objects too (an atomic block that branches on what it reads)
  choices,   // the same, and there are as many alternatives as it comes to (an atomic block that
             // chooses): see Event
};

class Footprints {
 public:
  static constexpr FootprintId empty = 0;  // a step that no thread sees

  explicit Footprints(const Dependence& dependence = Dependence::standard());

  // The name of this set of accesses. Several accesses of one location are joined into one where
  // that says the same (a read and a write are an update), and a write that is not alone becomes a
  // write_in_block. (Annotations of threads do not count.)
  FootprintId intern(std::span<const Access> accesses, Varies varies = Varies::no);

  std::span<const Access> accesses(FootprintId id) const {
    const Row& r = rows_[id];
    return {accesses_.data() + r.begin, r.count};
  }
  Varies varies(FootprintId id) const { return rows_[id].varies; }
  const Dependence& dependence() const { return *dependence_; }
  std::size_t size() const { return rows_.size(); }

  // The steps do not commute.
  bool dependent(FootprintId x, FootprintId y) const {
    const Row &a = rows_[x], &b = rows_[y];
    if (a.count != 1 || b.count != 1) return any_dependent(x, y);
    if (a.location != b.location || !dependence_->dependent(a.mode, b.mode)) return false;
    return !Dependence::detailed(a.mode, b.mode) || any_dependent(x, y);
  }

  // The way in which it uses its only object; of several, the first.
  Mode first_mode(FootprintId id) const { return rows_[id].mode; }

  // The step is a time-out.
  bool times_out(FootprintId id) const { return rows_[id].mode == Mode::time_out; }

  // It tells of threads: which it creates, or has joined.
  bool tells_of_threads(FootprintId id) const { return rows_[id].tells_of_threads; }
  // Calls visit(thread) for the threads that it creates, or has joined.
  template <typename Visit>
  void for_threads(FootprintId id, Mode mode, Visit visit) const {
    if (!tells_of_threads(id)) return;
    for (const Access& a : accesses(id))
      if (a.mode == mode) visit(static_cast<std::size_t>(a.a));
  }

  // They use an object in common, in whatever way.
  bool share_location(FootprintId x, FootprintId y) const;

  // The access that makes this step wait, or null.
  const Access* blocking(FootprintId id) const;

 private:
  struct Row {
    std::uint32_t begin = 0;
    std::uint16_t count = 0;
    Varies varies = Varies::no;
    bool tells_of_threads = false;
    Mode mode = Mode::read;  // of the first access, to decide most questions without a further look
    Location location = 0;
  };
  bool any_dependent(FootprintId x, FootprintId y) const;

  const Dependence* dependence_;
  std::vector<Access> accesses_;
  std::vector<Row> rows_;
  std::unordered_multimap<std::uint64_t, FootprintId> by_hash_;
  std::vector<Access> joined_;
};

}  // namespace heddle
