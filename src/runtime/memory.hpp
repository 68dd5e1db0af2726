// Accesses to memory, as the pass tells of them and as library functions make them.
#pragma once

#include <cstdint>

#include "runtime/abi.h"

namespace heddle::runtime {

// A plain access by a library function, at the place where it was called.
void plain_read(const void* from, std::uint64_t size);
void plain_write(const void* to, std::uint64_t size);

// A synchronisation object is used, or comes to its end: nobody may free it, or use it after that,
// without being ordered with this.
void use_object(const void* object);
void end_object(const void* object, std::uint64_t size);

// Fails if the current thread may not access this memory.
void check_heap(const void* address, std::uint64_t size);

}  // namespace heddle::runtime
