// The heap: an arena for each thread at a fixed address, so that addresses depend on what the
// thread itself did before, and on nothing else. Nothing is used twice within a run.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/abi.h"
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

// What is wrong with an access to this memory; kind `none` if nothing.
struct HeapError {
  abi::Finding kind;
  const char* text;
};
HeapError heap_error(const void* address, std::uint64_t size);

}  // namespace heddle::runtime
