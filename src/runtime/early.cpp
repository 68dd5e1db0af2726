#include "runtime/early.hpp"

#include <link.h>
#include <sys/syscall.h>

#include <cstdio>
#include <cstring>

#include "runtime/channel.hpp"
#include "runtime/exits.hpp"
#include "runtime/process.hpp"
#include "runtime/restart.hpp"

namespace heddle::runtime {
namespace {

bool begun = false;
bool initialising_program = false;  // and no longer its libraries

// What the linker has gathered of the program.
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
  return 1;  // the first is the program itself
}

// Before those of the program; those of libraries that know nothing of us may come earlier.
[[gnu::constructor(101)]] void begin() {
  catch_signals();
  catch_terminate();
}

void answer(abi::Finding kind, const char* text) {
  begin_reply();
  reply().finding = kind;
  const std::size_t length = std::strlen(text) / 8 * 8 + 8;
  void* out = kind == abi::Finding::none ? nullptr : add_to_reply(length);
  if (out == nullptr) return;
  std::memset(out, 0, length);
  std::memcpy(out, text, std::strlen(text));
  reply().text_bytes = static_cast<std::uint32_t>(length);
}

}  // namespace

bool begin_initialising() {
  initialising_program = true;
  bool in_runs = false;
  for_ways_to_start(
      [](const char* way, void* found) {
        if (std::strcmp(way, way_in_runs) == 0) *static_cast<bool*>(found) = true;
      },
      &in_runs);
  return in_runs;
}

bool is_initialising_program() { return !begun && initialising_program; }

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

void begin_runs() { begun = true; }
bool has_begun() { return begun; }

void refuse_before_main(const char* what) {
  char text[160];
  std::snprintf(text, sizeof text,
                "the program uses what heddle does not support, before main begins: %s", what);
  refuse(text);
}

void end_before_main(abi::Finding kind, const char* what) {
  char text[640];
  std::snprintf(text, sizeof text, "before main begins: %s", what);
  if (!open_channel()) {
    if (kind != abi::Finding::none) say(text);
    system_call(SYS_exit_group, kind == abi::Finding::none ? 0 : 1);
  }
  for (;;) {
    await_request();
    answer(kind, text);
    finish_request();
    publish_reply();
  }
}

}  // namespace heddle::runtime
