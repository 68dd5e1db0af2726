#include "runtime/kernel/state_hash.hpp"

#include <xxhash.h>

namespace heddle::runtime {

void StateHash::add(const void* memory, std::uint64_t size) {
  if (size != 0) add_hashed(memory, size, reinterpret_cast<std::uint64_t>(memory), 1);
}

// The name is mixed in afterwards: a hash with a seed is slow for long parts.
void StateHash::add_hashed(const void* memory, std::uint64_t size, std::uint64_t name,
                           std::uint64_t kind) {
  XXH128_hash_t hash = XXH3_128bits(memory, size);
  if (kind != 0) {
    const std::uint64_t words[] = {hash.low64, hash.high64, name, size};
    hash = XXH3_128bits(words, sizeof words);
  }
  first_ += hash.low64;
  second_ += hash.high64;
}

}  // namespace heddle::runtime
