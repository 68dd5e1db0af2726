// The memory image: what the program's memory was when main began, and back to it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/heap.hpp"
#include "runtime/savepoint.hpp"

namespace heddle::runtime {

// Remembers the writable memory of every loaded object but this library and the dynamic loader, and
// the heap made so far. Pages are write-protected, to learn which of them runs write: those alone
// are copied back. Without protection, for a single run, any may have been written: the faults that
// the first writes make would be in the way of a debugger.
void take_image(bool protected_pages);
void restore_image();
void save_image(Savepoint& into);

// Calls visit for each stretch of the program's memory, thread-local memory included, that a run
// can have written to.
void for_written_memory(void (*visit)(const char* begin, const char* end));

// A write to an address that only the image had protected: now it may be made.
bool allow_write(void* address);
// The same for a whole range, before the system writes there: it would not ask.
void allow_writes(void* from, std::size_t size);

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
