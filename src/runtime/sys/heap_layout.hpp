// Where blocks of the heap are, and what is known of each eight bytes of them: the shadow.
#pragma once

#include <cstdint>

#include "runtime/abi/layout.h"

namespace heddle::runtime {

// An arena for each thread, one for blocks from before main, and one for the runtime: that has the
// thread-local storage of threads.
inline constexpr unsigned initial_arena = abi::max_threads, runtime_arena = initial_arena + 1,
                          arena_count = runtime_arena + 1;
inline constexpr std::uint64_t heap_size = arena_count * abi::arena_size;

inline constexpr std::uint64_t shadow_begin = 0x230000000000;
static_assert(abi::heap_begin + heap_size <= shadow_begin);
static_assert(shadow_begin + heap_size / 8 <= abi::mappings_begin);

// What the shadow says of eight bytes: that they are freed, may be used, or may be used up to the
// byte whose number is in the lower bits.
struct Shadow {
  enum Value : std::uint8_t { outside = 0, live = 1, freed = 2, partly = 16 };
};

inline std::uint64_t heap_offset(const void* p) {
  return reinterpret_cast<std::uint64_t>(p) - abi::heap_begin;
}
inline bool is_in_heap(const void* p) { return heap_offset(p) < heap_size; }
inline std::uint8_t* shadow_of(const void* p) {
  return reinterpret_cast<std::uint8_t*>(shadow_begin + heap_offset(p) / 8);
}

// Whether it is on a stack or in thread-local storage, and not a global variable of the program.
inline bool is_of_thread(std::uint64_t address) {
  const bool on_stack = address - abi::stacks_begin < abi::stack_size * abi::max_threads;
  return on_stack || (address - abi::heap_begin) / abi::arena_size == runtime_arena;
}

}  // namespace heddle::runtime
