// Data races: accesses of two threads to the same bytes, at least one of them plain and at least
// one a write, neither of which happens before the other.
//
// For each granule of eight bytes, the accesses are remembered that later ones must be compared
// with. An access that happens after another, covers its bytes and is as strong (a write for a
// write, plain for plain) stands for it. Nothing else is forgotten: every race of a run is found,
// in whichever order its two accesses came.
#pragma once

#include <cstdint>

#include "runtime/abi/abi.h"
#include "runtime/abi/wire.h"
#include "runtime/kernel/savepoint.hpp"

namespace heddle::runtime {

void set_up_shadow();
void clear_shadow();
void save_shadow(Savepoint& into);

// Compares the access with earlier ones, and remembers it.
void check_access(unsigned thread, const void* address, std::uint64_t size, std::uint8_t bits,
                  const abi::Site* site);

// The same for a whole block whose life ends: a thread that uses it later does so after it was
// freed.
void check_free(unsigned thread, const void* address, std::uint64_t size, const abi::Site* site);
// The same for memory that can only be read from now on.
void check_end_of_writes(unsigned thread, const void* address, std::uint64_t size,
                         const abi::Site* site);

// Memory was used after it was freed, or freed twice: found in this order, where the other order
// may do something else. If races are explored, both orders are.
void note_freed_use(const void* address, std::uint64_t size);

// The order of uses of this memory matters, although none of them races.
void make_visible(const void* address, std::uint64_t size);

// Code that is not a thread of the program reads this memory when the process ends. What it finds
// there may depend on the order of two writes that no event sees.
void note_look_at_exit(const void* address, std::uint64_t size);

// Adds the races of the run to the reply, and memory of which a plain read saw more than events do.
void report_races();

}  // namespace heddle::runtime
