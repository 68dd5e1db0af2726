// The states that the engine knows (abi::KnownTable).
#pragma once

#include <cstdint>

namespace heddle::runtime {

// By the first half of its digest; 0 is none.
bool is_known(std::uint64_t key);

}  // namespace heddle::runtime
