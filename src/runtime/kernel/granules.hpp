// Memory in granules of eight bytes, with masks of the bytes of each that are meant.
#pragma once

#include <cstdint>

#include "runtime/abi/wire.h"

namespace heddle::runtime {

inline constexpr std::uint64_t granule_size = std::uint64_t{1} << abi::granule_bits;

// Calls visit(granule, mask) for each granule of a range.
template <typename Visit>
void for_granules(const void* address, std::uint64_t size, Visit visit) {
  std::uint64_t at = reinterpret_cast<std::uint64_t>(address);
  if (size - 1 < granule_size - at % granule_size) [[likely]]  // and not empty
    return visit(at >> abi::granule_bits,
                 static_cast<std::uint8_t>(((1U << size) - 1) << at % granule_size));
  const std::uint64_t end = at + size;
  while (at < end) {
    const std::uint64_t next = (at / granule_size + 1) * granule_size;
    const std::uint64_t stop = next < end ? next : end;
    const std::uint64_t first = at % granule_size;
    visit(at >> abi::granule_bits, static_cast<std::uint8_t>(((1U << (stop - at)) - 1) << first));
    at = next;
  }
}

}  // namespace heddle::runtime
