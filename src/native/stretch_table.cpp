#include "native/stretch_table.hpp"

#include "base/check.hpp"

namespace heddle::native {
namespace {

constexpr unsigned all_bits =
    abi::bit_write | abi::bit_plain | abi::bit_free | abi::bit_benign | abi::bit_hidden;

// Of threads, as in runtime/kernel/clocks.cpp: the thread of an access is a knower, too.
constexpr std::uint64_t knower_of(unsigned thread) { return abi::knowing_threads | thread; }

}  // namespace

bool StretchTable::is_possible(const abi::WireAct& act) {
  if (act.kind != abi::ActKind::access) return act.kind < abi::ActKind::access;
  // What is not memory and yet counts as memory is above it: one more bit.
  constexpr std::uint64_t granules = std::uint64_t{1}
                                     << (abi::address_bits + 1 - abi::granule_bits);
  return act.thread < abi::max_threads && act.mask != 0 && (act.bits & ~all_bits) == 0 &&
         act.count != 0 && act.first < granules && act.first + act.count <= granules;
}

StretchId StretchTable::intern(std::span<const abi::WireAct> acts) {
  acts_.clear();
  for (const abi::WireAct& act : acts) acts_.push_back(decoded(act));
  return stretches_.intern(acts_);
}

Act StretchTable::decoded(const abi::WireAct& act) {
  HEDDLE_CHECK(is_possible(act));
  switch (act.kind) {
    case abi::ActKind::add:
      return {Act::Kind::add, name_of(act.first), name_of(act.second)};
    case abi::ActKind::replace:
      return {Act::Kind::replace, name_of(act.first), name_of(act.second)};
    case abi::ActKind::forget:
      return Act::forget(name_of(act.first));
    case abi::ActKind::access:
      break;
  }
  return Act::access(access_of(act));
}

PlainAccess StretchTable::access_of(const abi::WireAct& act) {
  const auto bits = static_cast<std::uint8_t>(act.bits & (abi::bit_benign | abi::bit_hidden));
  return {.granule = act.first,
          .place = number_of({act.second, act.third, bits}),
          .thread = name_of(knower_of(act.thread)),
          .granules = act.count,
          .bytes = act.mask,
          .writes = (act.bits & abi::bit_write) != 0,
          .atomic = (act.bits & abi::bit_plain) == 0,
          .ends = (act.bits & abi::bit_free) != 0};
}

PlainAccess StretchTable::first_of(const abi::WireRace& race) {
  return access_of({abi::ActKind::access, race.first_thread, race.first_mask, race.first_bits, 1,
                    race.memory >> abi::mask_bits, race.first_site, 0});
}
PlainAccess StretchTable::second_of(const abi::WireRace& race) {
  return access_of({abi::ActKind::access, race.second_thread, race.second_mask, race.second_bits, 1,
                    race.memory >> abi::mask_bits, race.second_site, 0});
}

Name StretchTable::name_of(std::uint64_t knower) {
  return names_.emplace(knower, static_cast<Name>(names_.size())).first->second;
}

std::uint64_t StretchTable::number_of(const Place& place) {
  const auto [at, is_new] = place_numbers_.emplace(place, places_.size());
  if (is_new) places_.push_back(place);
  return at->second;
}

}  // namespace heddle::native
