#include "runtime/memory/image.hpp"

#include <link.h>

#include <cstdint>
#include <cstring>

#include "runtime/kernel/fiber.hpp"
#include "runtime/kernel/thread_storage.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/mappings.hpp"
#include "runtime/memory/pages.hpp"
#include "runtime/sys/imports.hpp"
#include "runtime/sys/mapping.hpp"
#include "runtime/sys/system_code.hpp"

namespace heddle::runtime {
namespace {

constexpr std::uint64_t page = 4096;

bool contains(const dl_phdr_info& object, const void* address) {
  for (int k = 0; k < object.dlpi_phnum; ++k) {
    const auto& header = object.dlpi_phdr[k];
    const std::uint64_t from = object.dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_LOAD &&
        reinterpret_cast<std::uint64_t>(address) - from < header.p_memsz)
      return true;
  }
  return false;
}

int add_object(dl_phdr_info* object, std::size_t, void*) {
  std::uint64_t relro_end = 0;
  const bool kept = !contains(*object, reinterpret_cast<const void*>(take_image)) &&
                    std::strstr(object->dlpi_name, "/ld-linux") == nullptr;
  for (int k = 0; k < object->dlpi_phnum; ++k)
    if (const auto& h = object->dlpi_phdr[k]; h.p_type == PT_GNU_RELRO)
      relro_end = (object->dlpi_addr + h.p_vaddr + h.p_memsz) & ~(page - 1);
  for (int k = 0; k < object->dlpi_phnum; ++k) {
    const auto& h = object->dlpi_phdr[k];
    auto* begin = reinterpret_cast<char*>(object->dlpi_addr + h.p_vaddr);
    char* end = begin + h.p_memsz;
    if (h.p_type != PT_LOAD) continue;
    if ((h.p_flags & PF_W) == 0 || !kept) continue;
    auto* after = reinterpret_cast<char*>(relro_end);
    add_memory(begin < after && after <= end ? after : begin, end);
  }
  return 0;
}

}  // namespace

void take_image(bool many_runs) {
  dl_iterate_phdr(add_object, nullptr);
  remember_thread_storage();
  find_system_code();
  const Range heap = initial_heap();
  add_memory(heap.begin, heap.end);
  for_early_mappings(add_memory);
  watch_memory(!many_runs           ? Watch::not_at_all
               : may_enter_system() ? Watch::by_copies
                                    : Watch::by_faults);
}

void for_written_memory(void (*visit)(const char* begin, const char* end)) {
  for_written_pages(visit);
  for (unsigned id = 0; id < abi::max_threads; ++id)
    if (fiber(id).status != Fiber::Status::absent) for_thread_storage(fiber(id).fs_base, visit);
}

}  // namespace heddle::runtime
