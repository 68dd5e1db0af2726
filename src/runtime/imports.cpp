#include "runtime/imports.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>

namespace heddle::runtime {
namespace {

// Functions of the C library, and what compilers ask for, that open no files. Sorted. What is
// missing here only costs time.
constexpr std::string_view harmless[] = {
    "_ITM_deregisterTMCloneTable",
    "_ITM_registerTMCloneTable",
    "_Unwind_DeleteException",
    "_Unwind_Resume",
    "__assert_fail",
    "__errno_location",
    "__gmon_start__",
    "__gxx_personality_v0",
    "__libc_start_main",
    "__stack_chk_fail",
    "__tls_get_addr",
    "abs",
    "atoi",
    "atol",
    "bcmp",
    "dl_iterate_phdr",
    "fflush",
    "fprintf",
    "fputc",
    "fputs",
    "fwrite",
    "memchr",
    "memcmp",
    "memcpy",
    "memmove",
    "memset",
    "printf",
    "putchar",
    "puts",
    "qsort",
    "snprintf",
    "sprintf",
    "stderr",
    "stdout",
    "strchr",
    "strcmp",
    "strcpy",
    "strerror",
    "strlen",
    "strncmp",
    "strncpy",
    "strrchr",
    "strstr",
    "strtol",
    "strtoul",
    "vsnprintf",
};

// Of libstdc++, all but these parts of it.
constexpr const char* opening[] = {"file",          "stream_",  "random_device",
                                   "locale",        "chrono",   "stacktrace",
                                   "text_encoding", "messages", "syncbuf"};

constexpr const char* system_libraries[] = {"/libc.so",     "/libstdc++.so",   "/libm.so",
                                            "/libgcc_s.so", "/libatomic.so",   "/ld-linux",
                                            "linux-vdso",   "/libheddle_rt.so"};

bool is_ours(const char* name) {
  Dl_info found{}, here{};
  const void* address = dlsym(RTLD_DEFAULT, name);
  return address != nullptr && dladdr(address, &found) != 0 &&
         dladdr(reinterpret_cast<const void*>(&may_open_files), &here) != 0 &&
         found.dli_fbase == here.dli_fbase;
}

bool opens_no_file(const char* name) {
  if (std::ranges::binary_search(harmless, std::string_view(name)) || is_ours(name)) return true;
  const bool mangled = std::strncmp(name, "_Z", 2) == 0 || std::strncmp(name, "__cxa_", 6) == 0;
  return mangled && std::ranges::none_of(opening, [&](const char* part) {
           return std::strstr(name, part) != nullptr;
         });
}

struct Symbols {
  const ElfW(Sym) * table = nullptr;
  const char* names = nullptr;
};

bool only_harmless(const Symbols& symbols, std::span<const ElfW(Rela)> relocations) {
  return std::ranges::all_of(relocations, [&](const ElfW(Rela) & r) {
    const ElfW(Sym)& symbol = symbols.table[ELF64_R_SYM(r.r_info)];
    return ELF64_R_SYM(r.r_info) == 0 || symbol.st_shndx != SHN_UNDEF ||
           opens_no_file(symbols.names + symbol.st_name);
  });
}

bool is_harmless(const ElfW(Dyn) * entry) {
  Symbols symbols;
  const ElfW(Rela)* relocations = nullptr, *calls = nullptr;
  std::size_t relocation_bytes = 0, call_bytes = 0;
  for (; entry->d_tag != DT_NULL; ++entry) {
    const ElfW(Addr) value = entry->d_un.d_ptr;  // an address: the loader has added where it is
    if (entry->d_tag == DT_SYMTAB) symbols.table = reinterpret_cast<const ElfW(Sym)*>(value);
    if (entry->d_tag == DT_STRTAB) symbols.names = reinterpret_cast<const char*>(value);
    if (entry->d_tag == DT_RELA) relocations = reinterpret_cast<const ElfW(Rela)*>(value);
    if (entry->d_tag == DT_JMPREL) calls = reinterpret_cast<const ElfW(Rela)*>(value);
    if (entry->d_tag == DT_RELASZ) relocation_bytes = value;
    if (entry->d_tag == DT_PLTRELSZ) call_bytes = value;
  }
  return symbols.table != nullptr && symbols.names != nullptr &&
         only_harmless(symbols, {relocations, relocation_bytes / sizeof *relocations}) &&
         only_harmless(symbols, {calls, call_bytes / sizeof *calls});
}

int look_at(dl_phdr_info* object, std::size_t, void* found) {
  for (const char* library : system_libraries)
    if (std::strstr(object->dlpi_name, library) != nullptr) return 0;
  for (int k = 0; k < object->dlpi_phnum; ++k) {
    const auto& header = object->dlpi_phdr[k];
    if (header.p_type != PT_DYNAMIC) continue;
    if (is_harmless(reinterpret_cast<const ElfW(Dyn)*>(object->dlpi_addr + header.p_vaddr)))
      return 0;
  }
  *static_cast<bool*>(found) = true;
  return 1;
}

}  // namespace

bool may_open_files() {
  static_assert(std::ranges::is_sorted(harmless));
  bool found = false;
  dl_iterate_phdr(look_at, &found);
  return found;
}

}  // namespace heddle::runtime
