#include "runtime/kernel/state_hash.hpp"

#include <xxhash.h>

#include "runtime/kernel/told_states.hpp"

namespace heddle::runtime {

void StateHash::add(const void* memory, std::uint64_t size) {
  if (size != 0) add_hashed(memory, size, reinterpret_cast<std::uint64_t>(memory), 1);
}

// The name is mixed in afterwards: a hash with a seed is slow for long parts.
void StateHash::add_hashed(const void* memory, std::uint64_t size, std::uint64_t name,
                           std::uint64_t kind) {
  if (tells_states()) [[unlikely]]
    tell(memory, size, kind);
  XXH128_hash_t hash = XXH3_128bits(memory, size);
  if (kind != 0) {
    const std::uint64_t words[] = {hash.low64, hash.high64, name, size};
    hash = XXH3_128bits(words, sizeof words);
  }
  first_ += hash.low64;
  second_ += hash.high64;
}

// (Numbers begin with what they are.)
void StateHash::tell(const void* memory, std::uint64_t size, std::uint64_t kind) {
  if (kind != 0) return tell_part(static_cast<std::uint64_t>(Of::memory), memory, memory, size);
  const auto* const words = static_cast<const std::uint64_t*>(memory);
  tell_part(words[0], nullptr, words + 1, size - sizeof words[0]);
}

}  // namespace heddle::runtime
