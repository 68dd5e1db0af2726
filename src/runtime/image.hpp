// The memory image: what the program's memory was when main began, and back to it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/heap.hpp"
#include "runtime/savepoint.hpp"

namespace heddle::runtime {

// Remembers the writable memory of every loaded object but this library and the dynamic loader, and
// the heap made so far, as memory to be put back (pages.hpp), unless only a single run is made.
void take_image(bool many_runs);

// Libraries that were loaded late have their thread-local storage apart, and threads get it only
// when they use it. True if there are such: then it is to be allocated for each thread, with its FS
// base in place.
bool find_late_storage();
void allocate_late_storage();

// Calls visit for each stretch of the program's memory, thread-local memory included, that a run
// can have written to.
void for_written_memory(void (*visit)(const char* begin, const char* end));

// Fills a thread's storage with the initial values. The first thread's are those it had when main
// began.
void fill_thread_storage(std::uint64_t fs_base, bool first);

// All of it, and the part with the program's own variables.
Range thread_storage_of(std::uint64_t fs_base);
Range own_thread_storage_of(std::uint64_t fs_base);
void save_thread_storage(std::uint64_t fs_base, Savepoint& into);

// The code of the C library, of libgcc's unwinder or of libatomic. Calls from there must not yield:
// they may hold locks of their own; so nobody else ever finds these locks taken, nor do they count
// as steps.
bool is_in_system(const void* code);

}  // namespace heddle::runtime
