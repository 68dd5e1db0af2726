// Data races that are not to be reported, since the user has said so of a function they come from.
//
// Which functions those are, the engine knows; here, a race is known by the stacks of its two
// accesses, or rather by their names: a number for the addresses in them. To take a stack at every
// access would cost too much. But where a race has been suppressed the memory is visible, and there
// it is done.
#pragma once

#include <cstdint>

#include "runtime/abi/abi.h"
#include "runtime/kernel/stack.hpp"

namespace heddle::runtime {

namespace detail {
extern bool any_pardoned;
}
inline bool any_pardoned() { return detail::any_pardoned; }

// As the settings say.
void set_pardons();

// The name of a stack, for the program's own frames in it. Never 0.
std::uint64_t name_of(const Stack& stack);
// Of two, in either order; 0 if one of them is not known.
std::uint64_t name_of_pair(std::uint64_t one, std::uint64_t other);

// Whether a race of two stacks with that name is not to be reported, if it is about this memory.
bool is_pardoned(std::uint64_t stacks, std::uint64_t memory);

// The site of an access to this memory, with the name of the current stack behind it if the memory
// is visible. It stays as long as the process.
const abi::Site* with_callers(const abi::Site* site, const void* address, std::uint64_t size);
// The site as the program has it; the name that is behind it, or 0.
const abi::Site* without_callers(const abi::Site* site);
std::uint64_t name_of_callers(const abi::Site* site);

}  // namespace heddle::runtime
