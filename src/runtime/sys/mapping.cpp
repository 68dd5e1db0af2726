#include "runtime/sys/mapping.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>

#include "runtime/sys/process.hpp"

namespace heddle::runtime {
namespace {

[[noreturn]] void refuse_memory(std::uint64_t size) {
  char text[200];
  std::snprintf(
      text, sizeof text,
      "the system refuses memory: heddle needs %lu MB of address space. Is there a limit? ('ulimit "
      "-v' shows it; heddle needs it to be unlimited)",
      static_cast<unsigned long>(size >> 20));
  refuse(text);
}

}  // namespace

void* map_anywhere(std::size_t size) {
  const long p = system_call(SYS_mmap, 0, static_cast<long>(size), PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p < 0) refuse_memory(size);
  return reinterpret_cast<void*>(p);
}

void map_at(void* address, std::size_t size) {
  const long p = system_call(
      SYS_mmap, reinterpret_cast<long>(address), static_cast<long>(size), PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (p == -ENOMEM) refuse_memory(size);
  if (p != reinterpret_cast<long>(address)) refuse("the addresses that heddle needs are in use");
}

void unmap(void* address, std::size_t size) {
  system_call(SYS_munmap, reinterpret_cast<long>(address), static_cast<long>(size));
}

}  // namespace heddle::runtime
