// The heap: an arena for each thread at a fixed address, so that addresses depend on what the
// thread itself did before, and on nothing else. No address is used twice within a run.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/abi/abi.h"
#include "runtime/abi/wire.h"
#include "runtime/kernel/savepoint.hpp"
#include "runtime/kernel/state_hash.hpp"
#include "runtime/sys/heap_layout.hpp"
#include "runtime/sys/mapping.hpp"

namespace heddle::runtime {

// What an earlier run left there must not show; nor is it zero by chance.
inline constexpr int unset_byte = 0xaa;

// A block, filled with a byte; null if no machine has that much. REQUIRES: the alignment is a power
// of two, of 16 or more.
void* allocate(std::uint64_t size, std::uint64_t alignment, int fill = unset_byte);
// Fails if the block cannot be freed: it is not a block, or was freed already. free_block does so,
// too. A call from the code of the C library is not a step: that code may hold a lock.
void check_block(void* block);
void free_block(void* block, const void* caller);
std::uint64_t size_of_block(void* block);

// While set, memory is allocated in an arena of the runtime's own, which is never reset.
void set_allocating_for_runtime(bool on);

// What was allocated before main.
Range initial_heap();

// Empties the arena of this thread.
void clear_arena(unsigned thread);
// Blocks from before main that a run freed are allocated again.
void restore_freed();
void save_heap(Savepoint& into);
// Without what freed blocks contain, and where blocks were allocated.
void digest_heap(StateHash& into);

// Blocks that threads allocated in this run and have not freed; the latest first. In the place
// after all threads are the blocks from before main.
std::uint32_t live_block_count();
void for_live_blocks(unsigned thread, void (*visit)(char* begin, char* end, const abi::Site* site));

// What is wrong with an access to this memory; kind `none` if nothing.
struct HeapError {
  abi::Finding kind;
  const char* text;
};
HeapError heap_error(const void* address, std::uint64_t size);

// Nothing is wrong with the access, as a quick test shows: most are not to the heap, or within
// eight bytes of it. (Nor to stacks, which come before the heap: see check_heap.)
inline bool is_plainly_right(const void* address, std::uint64_t size) {
  constexpr std::uint64_t heap_end = abi::heap_begin + heap_size;
  const auto at = reinterpret_cast<std::uint64_t>(address);
  if (at - abi::stacks_begin >= heap_end - abi::stacks_begin) return true;
  if (at < abi::heap_begin) return false;
  const std::uint64_t offset = at - abi::heap_begin;
  const auto* shadow = reinterpret_cast<const std::uint8_t*>(shadow_begin + offset / 8);
  return offset % 8 + size <= 8 && *shadow == Shadow::live;
}

}  // namespace heddle::runtime
