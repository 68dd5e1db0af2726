#include "runtime/sys/system_code.hpp"

#include <link.h>

#include <cstring>
#include <iterator>

#include "runtime/sys/process.hpp"

namespace heddle::runtime {
namespace {

// Each library has one stretch of code, as linkers lay them out: this is for more than twice the
// three. A system with more is refused.
struct Codes {
  struct Code {
    const char *begin, *end;
  } list[8];
  unsigned count;
};
constinit Codes codes{};

bool is_system(const char* name) {
  for (const char* library : {"/libc.so", "/libgcc_s.so", "/libatomic.so"})
    if (std::strstr(name, library) != nullptr) return true;
  return false;
}

int add_code(dl_phdr_info* object, std::size_t, void*) {
  for (int k = 0; k < object->dlpi_phnum && is_system(object->dlpi_name); ++k) {
    const auto& h = object->dlpi_phdr[k];
    if (h.p_type != PT_LOAD || (h.p_flags & PF_X) == 0) continue;
    if (codes.count == std::size(codes.list))
      refuse("the libraries of the system have their code in more than 8 places");
    const auto* begin = reinterpret_cast<const char*>(object->dlpi_addr + h.p_vaddr);
    codes.list[codes.count++] = {begin, begin + h.p_memsz};
  }
  return 0;
}

}  // namespace

void find_system_code() { dl_iterate_phdr(add_code, nullptr); }

bool is_in_system(const void* code) {
  const auto* p = static_cast<const char*>(code);
  for (unsigned k = 0; k < codes.count; ++k)
    if (codes.list[k].begin <= p && p < codes.list[k].end) return true;
  return false;
}

}  // namespace heddle::runtime
