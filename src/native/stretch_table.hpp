// The stretches that workers have told of (abi::WireStretch), as the core has them: what knows
// of accesses, and the places of accesses, get small numbers.
//
// Promise: equal acts give the same number, for as long as this object lives.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/stretch.hpp"
#include "runtime/abi/wire.h"

namespace heddle::native {

class StretchTable {
 public:
  // Whether a worker can have told of it.
  static bool is_possible(const abi::WireAct& act);

  // REQUIRES: they are possible.
  StretchId intern(std::span<const abi::WireAct> acts);
  const Stretches& stretches() const { return stretches_; }

  // One of the two accesses of a race that a worker has found, as in a stretch. (Which stack it has
  // is not known.)
  PlainAccess first_of(const abi::WireRace& race);
  PlainAccess second_of(const abi::WireRace& race);

  // Where an access is, and what of it decides whether a data race counts.
  struct Place {
    std::uint64_t site;
    std::uint64_t stack;  // its name, or 0
    std::uint8_t bits;    // of AccessBits: benign, hidden
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  // REQUIRES: it is of an access of these stretches.
  const Place& place_of(const PlainAccess& access) const { return places_[access.place]; }

 private:
  Act decoded(const abi::WireAct& act);
  PlainAccess access_of(const abi::WireAct& act);
  Name name_of(std::uint64_t knower);
  std::uint64_t number_of(const Place& place);

  Stretches stretches_;
  std::unordered_map<std::uint64_t, Name> names_;
  std::map<Place, std::uint64_t> place_numbers_;
  std::vector<Place> places_;
  std::vector<Act> acts_;
};

// The memory that both accesses of a race use, as granules and masks (abi::WireRace).
template <typename Visit>
void for_memory(const RacingPair& pair, Visit visit) {
  const std::uint64_t begin = std::max(pair.first.granule, pair.second.granule);
  const std::uint64_t end = std::min(pair.first.end(), pair.second.end());
  for (std::uint64_t granule = begin; granule < end; ++granule)
    visit(granule << abi::mask_bits | (pair.first.bytes & pair.second.bytes));
}

}  // namespace heddle::native
