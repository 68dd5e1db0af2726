#include "runtime/api/initialisers.hpp"

#include <link.h>
#include <sys/syscall.h>

#include <cstdio>
#include <cstring>

#include "runtime/api/restart.hpp"
#include "runtime/kernel/before_main.hpp"
#include "runtime/sys/process.hpp"

namespace heddle::runtime {
namespace {

struct Progress {
  bool initialising_program;  // and no longer its libraries
};
constinit Progress progress{};

// What the linker has gathered in the program.
struct Initialisers {
  void (*first)() = nullptr;
  Initialiser* begin = nullptr;
  std::size_t count = 0;
};

int find_initialisers(dl_phdr_info* object, std::size_t, void* found) {
  auto& out = *static_cast<Initialisers*>(found);
  for (int k = 0; k < object->dlpi_phnum; ++k) {
    const auto& header = object->dlpi_phdr[k];
    if (header.p_type != PT_DYNAMIC) continue;
    const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(object->dlpi_addr + header.p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      const ElfW(Addr) at = object->dlpi_addr + entry->d_un.d_ptr;
      if (entry->d_tag == DT_INIT) out.first = reinterpret_cast<void (*)()>(at);
      if (entry->d_tag == DT_INIT_ARRAY) out.begin = reinterpret_cast<Initialiser*>(at);
      if (entry->d_tag == DT_INIT_ARRAYSZ) out.count = entry->d_un.d_val / sizeof *out.begin;
    }
  }
  return 1;  // the first object is the program itself
}

}  // namespace

bool begin_initialising() {
  progress.initialising_program = true;
  bool in_runs = false;
  for_ways_to_start(
      [](const char* way, void* found) {
        if (std::strcmp(way, way_in_runs) == 0) *static_cast<bool*>(found) = true;
      },
      &in_runs);
  return in_runs;
}

bool is_initialising_program() { return !has_begun() && progress.initialising_program; }

void run_initialisers(Initialiser own, int count, char** arguments, char** environment) {
  if (own != nullptr) return own(count, arguments, environment);
  Initialisers of_program;
  dl_iterate_phdr(find_initialisers, &of_program);
  if (of_program.first != nullptr) of_program.first();
  for (std::size_t k = 0; k < of_program.count; ++k)
    of_program.begin[k](count, arguments, environment);
}

void initialise_in_runs(const char* what) {
  if (is_initialising_program()) start_over(way_in_runs);
  char text[160];
  std::snprintf(text, sizeof text, "a library %s while it is loaded, which is not supported", what);
  refuse(text);
}

}  // namespace heddle::runtime
