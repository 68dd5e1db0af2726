#include "runtime/sys/imports.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>

namespace heddle::runtime {
namespace {

// Functions of the C library, and what compilers import, that neither open files nor change
// anything else that the system keeps, nor have it write anywhere except to their own stack.
// Sorted. A name that is missing here only costs time.
constexpr std::string_view harmless[] = {
    "_ITM_deregisterTMCloneTable",
    "_ITM_registerTMCloneTable",
    "_Unwind_Backtrace",
    "_Unwind_DeleteException",
    "_Unwind_GetIP",
    "_Unwind_RaiseException",
    "_Unwind_Resume",
    "_Unwind_Resume_or_Rethrow",
    "__assert_fail",
    "__ctype_b_loc",
    "__ctype_tolower_loc",
    "__ctype_toupper_loc",
    "__dynamic_cast",
    "__environ",
    "__errno_location",
    "__fprintf_chk",
    "__gmon_start__",
    "__gxx_personality_v0",
    "__isoc23_sscanf",
    "__isoc23_strtol",
    "__isoc23_strtoll",
    "__isoc23_strtoul",
    "__isoc23_strtoull",
    "__isoc99_sscanf",
    "__libc_single_threaded",
    "__libc_start_main",
    "__memcpy_chk",
    "__memmove_chk",
    "__memset_chk",
    "__printf_chk",
    "__sigsetjmp",
    "__snprintf_chk",
    "__sprintf_chk",
    "__stack_chk_fail",
    "__strcat_chk",
    "__strcpy_chk",
    "__strncat_chk",
    "__strncpy_chk",
    "__tls_get_addr",
    "__vsnprintf_chk",
    "_setjmp",
    "abs",
    "atof",
    "atoi",
    "atol",
    "atoll",
    "bcmp",
    "bcopy",
    "bsearch",
    "bzero",
    "div",
    "dl_iterate_phdr",
    "environ",
    "fflush",
    "fprintf",
    "fputc",
    "fputs",
    "fwrite",
    "getegid",
    "getenv",
    "geteuid",
    "getgid",
    "getpid",
    "getppid",
    "getuid",
    "index",
    "isalnum",
    "isalpha",
    "isatty",
    "isblank",
    "iscntrl",
    "isdigit",
    "isgraph",
    "islower",
    "isprint",
    "ispunct",
    "isspace",
    "isupper",
    "isxdigit",
    "labs",
    "ldiv",
    "llabs",
    "lldiv",
    "memccpy",
    "memchr",
    "memcmp",
    "memcpy",
    "memmem",
    "memmove",
    "mempcpy",
    "memrchr",
    "memset",
    "perror",
    "printf",
    "putc",
    "putchar",
    "puts",
    "qsort",
    "qsort_r",
    "rand",
    "rand_r",
    "random",
    "rawmemchr",
    "rindex",
    "setjmp",
    "snprintf",
    "sprintf",
    "srand",
    "srandom",
    "sscanf",
    "stderr",
    "stdout",
    "stpcpy",
    "stpncpy",
    "strcasecmp",
    "strcasestr",
    "strcat",
    "strchr",
    "strchrnul",
    "strcmp",
    "strcoll",
    "strcpy",
    "strcspn",
    "strdup",
    "strerror",
    "strerror_r",
    "strlen",
    "strncasecmp",
    "strncat",
    "strncmp",
    "strncpy",
    "strndup",
    "strnlen",
    "strpbrk",
    "strrchr",
    "strsep",
    "strspn",
    "strstr",
    "strtod",
    "strtof",
    "strtok",
    "strtok_r",
    "strtol",
    "strtold",
    "strtoll",
    "strtoul",
    "strtoull",
    "strxfrm",
    "swab",
    "tolower",
    "toupper",
    "vfprintf",
    "vprintf",
    "vsnprintf",
    "vsprintf",
    "vsscanf",
};

// Functions of the runtime that are not harmless in this sense. Sorted.
constexpr std::string_view harmful[] = {
    "bind",          "close",          "close_range",   "closefrom",  "connect",
    "creat",         "creat64",        "ctime",         "dlopen",     "dlsym",
    "dup",           "dup2",           "dup3",          "fopen",      "fopen64",
    "freopen",       "freopen64",      "getdate",       "getgrent",   "getgrgid",
    "getgrnam",      "gethostbyaddr",  "gethostbyname", "gethostent", "getlogin",
    "getmntent",     "getprotobyname", "getpwent",      "getpwnam",   "getpwuid",
    "getservbyname", "getservbyport",  "getutent",      "getutxent",  "initgroups",
    "localtime",     "madvise",        "mkostemp",      "mkstemp",    "mkstemp64",
    "mprotect",      "mq_open",        "mremap",        "open",       "open64",
    "openat",        "openat64",       "prlimit",       "prlimit64",  "ptsname",
    "setegid",       "seteuid",        "setgid",        "setgrent",   "setgroups",
    "setlocale",     "setpwent",       "setregid",      "setresgid",  "setresuid",
    "setreuid",      "setrlimit",      "setrlimit64",   "setuid",     "shm_open",
    "syscall",       "tmpnam",         "ttyname",
};

// In libstdc++, everything is harmless except these parts of it.
constexpr const char* opening[] = {"file",          "stream_",  "random_device",
                                   "locale",        "chrono",   "stacktrace",
                                   "text_encoding", "messages", "syncbuf"};

constexpr const char* system_libraries[] = {"/libc.so",     "/libstdc++.so",   "/libm.so",
                                            "/libgcc_s.so", "/libatomic.so",   "/ld-linux",
                                            "linux-vdso",   "/libheddle_rt.so"};

// Whether it is a function of the runtime, or of the library for mathematics.
bool is_ours(const char* name) {
  if (std::ranges::binary_search(harmful, std::string_view(name))) return false;
  Dl_info found{}, here{};
  const void* address = dlsym(RTLD_DEFAULT, name);
  return address != nullptr && dladdr(address, &found) != 0 &&
         dladdr(reinterpret_cast<const void*>(&may_have_system), &here) != 0 &&
         (found.dli_fbase == here.dli_fbase || std::strstr(found.dli_fname, "/libm.so") != nullptr);
}

bool is_harmless_function(const char* name) {
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
           is_harmless_function(symbols.names + symbol.st_name);
  });
}

bool is_harmless(const ElfW(Dyn) * entry) {
  Symbols symbols;
  const ElfW(Rela)* relocations = nullptr, *calls = nullptr;
  std::size_t relocation_bytes = 0, call_bytes = 0;
  for (; entry->d_tag != DT_NULL; ++entry) {
    const ElfW(Addr) value = entry->d_un.d_ptr;  // an address: the loader has added the base
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

bool is_of_system(const dl_phdr_info& object) {
  return std::ranges::any_of(system_libraries, [&](const char* library) {
    return std::strstr(object.dlpi_name, library) != nullptr;
  });
}

int look_at(dl_phdr_info* object, std::size_t, void* found) {
  if (is_of_system(*object)) return 0;
  for (int k = 0; k < object->dlpi_phnum; ++k) {
    const auto& header = object->dlpi_phdr[k];
    if (header.p_type != PT_DYNAMIC) continue;
    if (is_harmless(reinterpret_cast<const ElfW(Dyn)*>(object->dlpi_addr + header.p_vaddr)))
      return 0;
  }
  *static_cast<bool*>(found) = true;
  return 1;
}

// syscall, sysenter, int 0x80; or bytes that look like one of them.
bool has_system_instruction(const unsigned char* code, std::size_t size) {
  for (std::size_t k = 1; k < size; ++k) {
    const unsigned char first = code[k - 1], second = code[k];
    if ((first == 0x0f && (second == 0x05 || second == 0x34)) || (first == 0xcd && second == 0x80))
      return true;
  }
  return false;
}

int look_at_code(dl_phdr_info* object, std::size_t, void* found) {
  if (is_of_system(*object)) return 0;
  for (int k = 0; k < object->dlpi_phnum; ++k) {
    const auto& h = object->dlpi_phdr[k];
    if (h.p_type != PT_LOAD || (h.p_flags & PF_X) == 0) continue;
    const auto* code = reinterpret_cast<const unsigned char*>(object->dlpi_addr + h.p_vaddr);
    if (has_system_instruction(code, h.p_memsz)) *static_cast<bool*>(found) = true;
  }
  return 0;
}

struct Imports {
  bool known;  // the answer is
  bool may_have_system;
};
constinit Imports imports{};

}  // namespace

bool may_enter_system() {
  bool found = may_have_system();
  if (!found) dl_iterate_phdr(look_at_code, &found);
  return found;
}

bool may_have_system() {
  static_assert(std::ranges::is_sorted(harmless) && std::ranges::is_sorted(harmful));
  if (imports.known) return imports.may_have_system;
  imports.known = true;
  dl_iterate_phdr(look_at, &imports.may_have_system);
  return imports.may_have_system;
}

}  // namespace heddle::runtime
