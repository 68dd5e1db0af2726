// 64-bit hashing of plain values, for interning and for comparing states.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>
#include <span>
#include <utility>

namespace heddle {

template <typename T>
std::uint64_t hash_of(std::span<const T> values, std::uint64_t seed = 0) {
  static_assert(std::has_unique_object_representations_v<T>, "padding would be hashed too");
  return XXH3_64bits_withSeed(values.data(), values.size_bytes(), seed);
}

// Wide enough to stand for the values themselves, in any number that fits into memory.
using WideHash = std::pair<std::uint64_t, std::uint64_t>;

template <typename T>
WideHash wide_hash_of(std::span<const T> values) {
  static_assert(std::has_unique_object_representations_v<T>, "padding would be hashed too");
  const XXH128_hash_t h = XXH3_128bits(values.data(), values.size_bytes());
  return {h.low64, h.high64};
}

inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t z = (a ^ (b + 0x9e3779b97f4a7c15ULL + (a << 6) + (a >> 2))) * 0xff51afd7ed558ccdULL;
  return z ^ (z >> 33);
}

}  // namespace heddle
