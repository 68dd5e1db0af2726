#include "native/locations.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace heddle::native {
namespace {

constexpr std::uint64_t mask_of_masks = (1U << abi::mask_bits) - 1;

}  // namespace

Access Locations::access(const abi::WireAccess& wire) {
  const auto mode = static_cast<Mode>(wire.object >> abi::mode_shift);
  if (class_of(mode) == ObjectClass::memory) return memory_access(wire, mode);
  // One address may be both memory and a mutex.
  const auto kind = static_cast<std::uint64_t>(class_of(mode)) << abi::mode_shift;
  return {named(kind | (wire.object & abi::below_mode)), mode, {}, wire.a, wire.b};
}

bool Locations::is_whole(const abi::WireAccess& wire) const {
  const auto mode = static_cast<Mode>(wire.object >> abi::mode_shift);
  return class_of(mode) != ObjectClass::memory ||
         !knowledge_.mixed.contains((wire.object & abi::below_mode) >> abi::mask_bits);
}

Access Locations::memory_access(const abi::WireAccess& wire, Mode mode) {
  const std::uint64_t memory = wire.object & abi::below_mode;
  const std::uint64_t granule = memory >> abi::mask_bits;
  const auto mask = static_cast<std::uint8_t>(memory & mask_of_masks);
  if (knowledge_.mixed.contains(granule)) {
    // A write of a part does not overwrite all that another wrote: their order always counts. So
    // does the order of writes of the whole, a part of which may be read after a write of another
    // part.
    return {named(granule << abi::mask_bits | mask_of_masks),
            mode == Mode::write ? Mode::write_in_block : mode};
  }
  std::vector<std::uint8_t>& parts = parts_[granule];
  if (std::ranges::find(parts, mask) == parts.end()) {
    for (const std::uint8_t part : parts)
      if ((part & mask) != 0) {
        knowledge_.mixed.insert(granule);
        throw Learned();
      }
    parts.push_back(mask);
  }
  return {named(memory), mode};
}

Location Locations::named(std::uint64_t identity) {
  const auto [at, fresh] =
      locations_.try_emplace(identity, static_cast<Location>(locations_.size()));
  if (fresh) objects_.push_back(identity);
  HEDDLE_CHECK(objects_.size() == locations_.size());
  return at->second;
}

}  // namespace heddle::native
