// Data races that are not to be reported, because the user has suppressed a function they come
// from.
//
// Which functions those are, the engine knows; here, a race is identified by the stacks of its two
// accesses, or rather by their names: a number made of the addresses in them. To take a stack at
// every access would cost too much. But where a race has been suppressed the memory is visible, and
// there it is done.
#pragma once

#include <cstdint>

#include "runtime/abi/abi.h"
#include "runtime/kernel/stack.hpp"

namespace heddle::runtime {

namespace detail {
struct Called;
struct Pardons {
  bool any;
  Called* called;  // a table of accesses, each with its callers
};
extern Pardons pardons;
}  // namespace detail
inline bool any_pardoned() { return detail::pardons.any; }

// As the settings say.
void set_pardons();

// The name of a stack, made of the program's own frames in it. Never 0.
std::uint64_t name_of(const Stack& stack);

// Whether a race on this memory, of two stacks with that name, is not to be reported.
bool is_pardoned(std::uint64_t stacks, std::uint64_t memory);

// The site of an access to this memory, with the name of the current stack attached if the memory
// is visible. It lives as long as the process.
const abi::Site* with_callers(const abi::Site* site, const void* address, std::uint64_t size);
// The site as the program has it; the name that is attached to it, or 0.
const abi::Site* without_callers(const abi::Site* site);
std::uint64_t name_of_callers(const abi::Site* site);

}  // namespace heddle::runtime
