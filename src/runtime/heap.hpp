// The heap: an arena for each thread at a fixed address, so that addresses depend on what the
// thread itself did before, and on nothing else. Nothing is used twice within a run.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/abi.h"
#include "runtime/layout.h"
#include "runtime/savepoint.hpp"
#include "runtime/wire.h"

namespace heddle::runtime {

struct Range {
  char *begin, *end;
};

// Memory of the system, for ourselves; dies if there is none.
void* map_anywhere(std::size_t size);
void map_at(void* address, std::size_t size);
void unmap(void* address, std::size_t size);

// While set, memory is given from an arena of the runtime's own, which is never reset.
void set_allocating_for_runtime(bool on);

// What was allocated before main.
Range initial_heap();

// The arena of this thread is empty again.
void clear_arena(unsigned thread);
// Blocks from before main that a run freed are allocated again.
void restore_freed();
void save_heap(Savepoint& into);

// Those allocated by threads in this run and not freed; the latest first. Behind all threads are
// those from before main.
std::uint32_t live_block_count();
void for_live_blocks(unsigned thread, void (*visit)(char* begin, char* end, const abi::Site* site));

namespace detail {
inline constexpr std::uint64_t shadow_begin = 0x230000000000;
// An arena for each thread, one for what is from before main, and one for the runtime.
inline constexpr unsigned arena_count = abi::max_threads + 2;
inline constexpr std::uint64_t heap_size = arena_count * abi::arena_size;
// What the shadow says of eight bytes: that they are free, may be used, or may be used up to the
// byte whose number is in the lower bits.
enum Shadow : std::uint8_t { outside = 0, live = 1, freed = 2, partly = 16 };
}  // namespace detail

// Whether it is on a stack or in thread-local storage, if it is not a variable of the program.
bool is_of_thread(std::uint64_t address);
// The thread-local storage of a thread that begins, or has ended: it may be used, or no longer.
void mark_thread_storage(Range storage, bool usable);
// Those of one that has not ended are not kept, but cleared before the others are put back.
void save_thread_marks(Range storage, Savepoint& into);
void clear_thread_marks(Range storage);

// What is wrong with an access to this memory; kind `none` if nothing.
struct HeapError {
  abi::Finding kind;
  const char* text;
};
HeapError heap_error(const void* address, std::uint64_t size);

// Nothing is wrong with it, as can be seen at a glance: most are not to the heap, or within eight
// bytes of it. (Nor to stacks, which come before the heap: see check_heap.)
inline bool is_plainly_right(const void* address, std::uint64_t size) {
  constexpr std::uint64_t heap_end = abi::heap_begin + detail::heap_size;
  const auto at = reinterpret_cast<std::uint64_t>(address);
  if (at - abi::stacks_begin >= heap_end - abi::stacks_begin) return true;
  if (at < abi::heap_begin) return false;
  const std::uint64_t offset = at - abi::heap_begin;
  const auto* shadow = reinterpret_cast<const std::uint8_t*>(detail::shadow_begin + offset / 8);
  return offset % 8 + size <= 8 && *shadow == detail::live;
}

}  // namespace heddle::runtime
