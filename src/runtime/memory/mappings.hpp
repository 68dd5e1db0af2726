// Memory that programs map by themselves. Its address depends on what the thread itself mapped
// before, as with the heap; no address is used twice within a run, so that a thread that uses
// unmapped memory faults.
#pragma once

#include <cstddef>

namespace heddle::runtime {

// These return what the system call does: negative numbers are errors.
long map_memory(long address, std::size_t size, int protection, int flags, int fd, long offset);
long unmap_memory(long address, std::size_t size);
long remap_memory(long address, std::size_t old_size, std::size_t size, int flags, long to);
long protect_memory(long address, std::size_t size, int protection);
long advise_memory(long address, std::size_t size, int advice);

// Calls visit for what was mapped before main, and can be written.
void for_early_mappings(void (*visit)(char* begin, char* end));

// What a run maps is unmapped at its end.
void restore_mappings();
bool are_mappings_as_remembered();

// An address that was mapped in this run, or can have been.
bool was_mapped(const void* address);

}  // namespace heddle::runtime
