// What a run that is being explained reports besides its events: the values and the stack of each,
// the accesses that are not events but matter, and the blocks of the heap.
//
// REQUIRES, for all functions except clear_details: is_explaining().
#pragma once

#include <cstdint>

#include "runtime/abi/abi.h"
#include "runtime/kernel/explain.hpp"
#include "runtime/kernel/op.hpp"

namespace heddle::runtime {

void clear_details();
// Before the first of them: makes room for what they report.
void map_details();

// The current thread is about to announce a step: its stack will be that of the event.
void note_announced();
// The event that was recorded last is this step of this thread.
void note_event(unsigned thread, const Op& op, bool gives_up);

// A block was allocated by the current thread, or freed; a block that is freed may be from before
// main. note_early_block: a block from before main that is still there.
void note_block(const void* block, std::uint64_t size);
void note_early_block(const void* block, std::uint64_t size);
void note_freed(const void* block, std::uint64_t size);

// An access that is remembered is to be reported; `bits` as in shadow.hpp.
void note_spot(const SiteWithStack& access, std::uint8_t bits);
// The same for the free of the block that contains this address.
void note_spot_of_free(const void* address);
// The finding is made now.
void note_moment();

// Adds all of it to the reply.
void report_details();

}  // namespace heddle::runtime
