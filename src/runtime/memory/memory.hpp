// Accesses to memory, as hooks report them and as library functions make them.
#pragma once

#include <cstdint>

#include "runtime/abi/abi.h"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/fiber.hpp"
#include "runtime/memory/heap.hpp"

namespace heddle::runtime {

// No other thread sees what the current thread does, or nothing of it counts.
inline bool is_alone() { return !is_concurrent() || is_trying() || is_gluing(); }

// A plain access by a library function, at the place where it was called.
void plain_read(const void* from, std::uint64_t size);
void plain_write(const void* to, std::uint64_t size);
// An access that depends on what was there: where it is a step, it is a single one.
void plain_update(const void* at, std::uint64_t size);
// A string, with its end unless that comes after the first `most` bytes.
void read_string(const char* s, std::uint64_t most = ~0ULL >> 8);

// A synchronisation object is used: no thread may initialise, destroy or free it without being
// ordered with this.
void use_object(const void* object);

// What threads have written is compared only later: to be called before memory can no longer be
// read.
void settle_all();

// Mapped memory ends, or can only be read from now on: no thread may access it, or write to it,
// without being ordered with this.
void end_memory(void* memory, std::uint64_t size);
void end_writes(void* memory, std::uint64_t size);

// Fails if the current thread may not access this memory: of the heap, of a thread that has ended,
// or of a function that has returned.
void check_heap_closely(const void* address, std::uint64_t size);
// Everything that the current thread has on its stack is above.
[[gnu::always_inline]] inline const void* stack_top() {
  const void* top;
  __asm__("movq %%rsp, %0" : "=r"(top));
  return top;
}
inline void check_heap(const void* address, std::uint64_t size) {
  if (is_plainly_right(address, size)) [[likely]]
    return;
  if (is_on_stack(current().id, address) && address >= stack_top()) [[likely]]
    return;
  check_heap_closely(address, size);
}

// The current thread ends, and with it its variables.
void end_own_memory();

}  // namespace heddle::runtime
