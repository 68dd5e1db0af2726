#include "native/process_memory.hpp"

#include <sys/uio.h>

#include <cstring>

namespace heddle::native {

bool read_memory(pid_t process, std::uint64_t address, void* out, std::size_t size) {
  iovec local{out, size}, remote{reinterpret_cast<void*>(address), size};
  return process_vm_readv(process, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size);
}

// Piece by piece, because the memory after it may not be readable.
std::string read_text(pid_t process, std::uint64_t address) {
  std::string out;
  for (char piece[16]; out.size() < 4096; address += sizeof piece) {
    if (!read_memory(process, address, piece, sizeof piece)) break;
    const std::size_t length = strnlen(piece, sizeof piece);
    out.append(piece, length);
    if (length < sizeof piece) break;
  }
  return out;
}

}  // namespace heddle::native
