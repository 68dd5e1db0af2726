// The pages that runs write to, in memory that is put back after each run: only those are copied.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/kernel/savepoint.hpp"
#include "runtime/kernel/state_hash.hpp"

namespace heddle::runtime {

// How the runtime learns which they are.
enum class Watch : std::uint8_t {
  // Pages are write-protected; the fault at the first write to one tells. The system does not
  // fault: a system call that is to write there fails.
  by_faults,
  // The system copies a page when it is first written, by the program or the system, and tells
  // which pages it has copied. To ask takes longer than a fault, but is only needed if there was a
  // fault.
  by_copies,
  // Any page may have been written: for a single run, where faults would disturb a debugger.
  not_at_all,
};

// Memory that is to be put back to how it is now: all of it is added before it is watched.
void add_memory(char* begin, char* end);
void watch_memory(Watch how);

void restore_pages();
void save_pages(Savepoint& into);
// What differs from how it was in the beginning: so it does not matter which pages are copied back.
void digest_pages(StateHash& into);
void for_written_pages(void (*visit)(const char* begin, const char* end));

// A write to an address that is only watched: makes it possible.
bool allow_write(void* address);
// The same for a whole range, before a function of the runtime has the system write there.
void allow_writes(void* from, std::size_t size);

}  // namespace heddle::runtime
