// Where in the address space of a worker the runtime places things: the same in all runs.
//
// The addresses are in the lower half of what a process can have (2^47), where Linux puts nothing
// by itself: programs and their heaps are at 0x5555..., libraries and the first stack at 0x7fff...
#pragma once

#include <cstdint>

#include "runtime/abi/wire.h"

namespace heddle::abi {

// Stacks of the threads, one after the other. The size is the usual limit of the system ('ulimit
// -s').
inline constexpr std::uint64_t stacks_begin = 0x200000000000, stack_size = 8 << 20;

// Memory that threads allocate, an arena for each; then the memory from before main, and the
// runtime's.
inline constexpr std::uint64_t heap_begin = 0x210000000000, arena_size = 256 << 20;

// Memory that threads map, for each thread; then the mappings from before main.
inline constexpr std::uint64_t mappings_begin = 0x280000000000,
                               mappings_size = std::uint64_t{64} << 30;

// All of it is in what a process can have, see wire_steps.h.
static_assert(stacks_begin + max_threads * stack_size <= heap_begin &&
              heap_begin < mappings_begin &&
              mappings_begin + (max_threads + 1) * mappings_size <= std::uint64_t{1}
                                                                        << address_bits);

// The name of the copy of the image in the list of the worker's memory.
inline constexpr char image_name[] = "program-image";

}  // namespace heddle::abi
