// Thread-local storage: where that of a thread is, its initial content, and which part of it may be
// used.
#pragma once

#include <cstdint>

#include "runtime/kernel/savepoint.hpp"
#include "runtime/sys/mapping.hpp"

namespace heddle::runtime {

// When main begins: remembers what threads find there.
void remember_thread_storage();

// Libraries that were loaded late have their thread-local storage elsewhere, and threads get it
// only when they use it. True if there are such: then it has to be allocated for each thread, with
// its FS base in place.
bool find_late_storage();
void allocate_late_storage();

// Fills a thread's storage with the initial values. The first thread's are those it had when main
// began.
void fill_thread_storage(std::uint64_t fs_base, bool first);

// All of it except that of libraries that were loaded late; the part with the program's own
// variables; and each stretch of all.
Range thread_storage_of(std::uint64_t fs_base);
Range own_thread_storage_of(std::uint64_t fs_base);
void for_thread_storage(std::uint64_t fs_base, void (*visit)(const char* begin, const char* end));

void save_thread_storage(std::uint64_t fs_base, Savepoint& into);

// The thread-local storage of a thread that begins, or has ended: it may be used, or no longer.
void mark_thread_storage(Range storage, bool usable);
// The marks of a thread that has not ended are not kept, but cleared before the others are put
// back.
void save_thread_marks(Range storage, Savepoint& into);
void clear_thread_marks(Range storage);

}  // namespace heddle::runtime
