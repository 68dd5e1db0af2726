// The memory of a worker.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace heddle::native {

// False if it cannot be read.
bool read_memory(pid_t process, std::uint64_t address, void* out, std::size_t size);

// Up to the first zero, or as much as can be read.
std::string read_text(pid_t process, std::uint64_t address);

}  // namespace heddle::native
