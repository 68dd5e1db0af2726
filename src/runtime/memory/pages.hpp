// The pages that runs write to, of memory that is put back after each run: those alone are copied.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/kernel/savepoint.hpp"

namespace heddle::runtime {

// How it is learned which they are.
enum class Watch : std::uint8_t {
  // Pages cannot be written; the fault of the first write to one tells. The system does not fault:
  // a call that is to write there fails.
  by_faults,
  // The system copies a page when it is first written, by whomever, and tells which it has copied.
  // To ask takes longer than a fault, but only if there was any.
  by_copies,
  // Any may have been written: for a single run, where faults would be in the way of a debugger.
  not_at_all,
};

// Memory that is to be put back to how it is now: all of it is given before it is watched.
void add_memory(char* begin, char* end);
void watch_memory(Watch how);

void restore_pages();
void save_pages(Savepoint& into);
void for_written_pages(void (*visit)(const char* begin, const char* end));

// A write to an address that is only watched: now it may be made.
bool allow_write(void* address);
// The same for a whole range, before a function of ours has the system write there.
void allow_writes(void* from, std::size_t size);

}  // namespace heddle::runtime
