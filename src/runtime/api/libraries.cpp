#include "runtime/api/libraries.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/abi/wire.h"
#include "runtime/api/restart.hpp"
#include "runtime/api/uses.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/sys/export.hpp"
#include "runtime/sys/imports.hpp"
#include "runtime/sys/process.hpp"
#include "runtime/sys/system_code.hpp"

namespace heddle::runtime {
namespace {

using Open = void* (*)(const char*, int);
using Close = int (*)(void*);
using Find = void* (*)(void*, const char*);
using Error = char* (*)();

struct Library {
  char* name;
  int flags;
  void* handle;  // null: it cannot be loaded
  char* error;
  Library* next;
};
[[gnu::tls_model("initial-exec")]] thread_local const char* error;  // that dlerror has not returned
                                                                    // yet

constexpr std::size_t longest_name = 900;  // with flags, it fits into longest_way

void* of_c_library(const char* name) {
  for (const char* version : {"GLIBC_2.34", "GLIBC_2.2.5"})
    if (void* found = dlvsym(RTLD_NEXT, name, version)) return found;
  refuse("this C library has no functions to load libraries");
}

// None of this is changed back after a run.
struct Libraries {
  Library* list;              // that are loaded, or cannot be
  bool may_load;              // a run may make the C library load a part of itself
  unsigned long long loaded;  // number of objects, ever
  void* own_handle;
  // Looking up a function clears the error that dlerror is to return: so it is done once.
  struct Loader {
    Open open;
    Close close;
    Find find;
    Error error;
  } loader;
};
constinit Libraries libraries{};

void find_loader() {
  if (libraries.loader.error != nullptr) return;
  libraries.loader.open = reinterpret_cast<Open>(of_c_library("dlopen"));
  libraries.loader.close = reinterpret_cast<Close>(of_c_library("dlclose"));
  libraries.loader.find = reinterpret_cast<Find>(of_c_library("dlsym"));
  libraries.loader.error = reinterpret_cast<Error>(of_c_library("dlerror"));
}

const char* last_error() {
  const char* text = libraries.loader.error();
  return text == nullptr ? "cannot be loaded" : text;
}

Library* find(const char* name, int flags) {
  for (Library* l = libraries.list; l != nullptr; l = l->next)
    if (l->flags == flags && std::strcmp(l->name, name) == 0) return l;
  return nullptr;
}

bool is_handle(const void* handle) {
  for (const Library* l = libraries.list; l != nullptr; l = l->next)
    if (handle != nullptr && l->handle == handle) return true;
  return false;
}

char* kept(const char* text) {
  set_allocating_for_runtime(true);
  char* copy = strdup(text);
  set_allocating_for_runtime(false);
  return copy;
}

void load(const char* name, int flags) {
  void* handle = libraries.loader.open(name, flags);
  char* why = handle == nullptr ? kept(last_error()) : nullptr;
  set_allocating_for_runtime(true);
  auto* l = static_cast<Library*>(std::malloc(sizeof(Library)));
  set_allocating_for_runtime(false);
  *l = {kept(name), flags, handle, why, libraries.list};
  libraries.list = l;
}

void load_told(const char* way, void*) {
  if (std::strncmp(way, way_with_part, sizeof way_with_part - 1) == 0)
    libraries.loader.open(way + sizeof way_with_part - 1, RTLD_LAZY);
  if (std::strncmp(way, way_with_library, sizeof way_with_library - 1) != 0) return;
  char* name = nullptr;
  const auto flags = static_cast<int>(std::strtol(way + sizeof way_with_library - 1, &name, 10));
  if (*name == ' ') load(name + 1, flags);
}

void* open(const char* name, int flags) {
  if (const Library* known = find(name, flags)) {
    if (known->handle == nullptr) error = known->error;
    return known->handle;
  }
  if (std::strlen(name) > longest_name || std::strchr(name, '\n') != nullptr) {
    error = "the name of the library is too long";
    return nullptr;
  }
  char way[longest_name + 40];
  std::snprintf(way, sizeof way, "%s%d %s", way_with_library, flags, name);
  start_over(way);
}

int count_loaded(dl_phdr_info* object, std::size_t, void* out) {
  *static_cast<unsigned long long*>(out) = object->dlpi_adds;
  return 1;
}
unsigned long long loaded_so_far() {
  unsigned long long n = 0;
  dl_iterate_phdr(count_loaded, &n);
  return n;
}

// The latest objects come last.
int find_latest(dl_phdr_info* object, std::size_t, void* out) {
  if (object->dlpi_name[0] != '\0') *static_cast<const char**>(out) = object->dlpi_name;
  return 0;
}

}  // namespace

void load_libraries() {
  find_loader();
  for_ways_to_start(load_told);
}

void remember_libraries() {
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&remember_libraries), &here) != 0)
    libraries.own_handle = libraries.loader.open(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  libraries.may_load = may_have_system();
  libraries.loaded = loaded_so_far();
}

void check_libraries() {
  if (!libraries.may_load || loaded_so_far() == libraries.loaded) return;
  const char* latest = nullptr;
  dl_iterate_phdr(find_latest, &latest);
  if (latest == nullptr || std::strlen(latest) > longest_name) return;
  char way[longest_name + 40];
  std::snprintf(way, sizeof way, "%s%s", way_with_part, latest);
  start_over(way);
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

// dlsym: where the C library has to see the caller, it is called by a jump.
asm(R"(
.text
.globl dlsym
.type dlsym,@function
dlsym:
  .cfi_startproc
  leaq 1(%rdi), %rax
  cmpq $2, %rax
  jae heddle_find_in_library
  movq heddle_real_dlsym(%rip), %rax
  testq %rax, %rax
  jne 1f
  pushq %rdi
  .cfi_adjust_cfa_offset 8
  pushq %rsi
  .cfi_adjust_cfa_offset 8
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  call heddle_resolve_dlsym
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  popq %rsi
  .cfi_adjust_cfa_offset -8
  popq %rdi
  .cfi_adjust_cfa_offset -8
1:
  jmp *%rax
  .cfi_endproc
.size dlsym, .-dlsym
)");

extern "C" {
__attribute__((visibility("hidden"), used)) void* heddle_real_dlsym;
__attribute__((visibility("hidden"), used)) void* heddle_resolve_dlsym() {
  return heddle_real_dlsym = of_c_library("dlsym");
}
// A function of the C library that the runtime stands in for must not be called by the program.
__attribute__((visibility("hidden"), used)) void* heddle_find_in_library(void* handle,
                                                                         const char* name) {
  find_loader();
  void* found = libraries.loader.find(handle, name);
  if (found == nullptr || libraries.own_handle == nullptr || !is_in_system(found)) return found;
  void* ours = libraries.loader.find(libraries.own_handle, name);
  return ours == nullptr ? found : ours;
}
}

HEDDLE_EXPORT void* dlopen(const char* name, int flags) {
  find_loader();
  if (name == nullptr || !is_running() || (flags & RTLD_NOLOAD) != 0)
    return libraries.loader.open(name, flags);
  tell<"dlopen">(HEDDLE_CALLED_FROM, name, flags);
  return open(name, flags);
}
HEDDLE_EXPORT int dlclose(void* handle) {
  find_loader();
  return is_handle(handle) ? 0 : libraries.loader.close(handle);
}
HEDDLE_EXPORT char* dlerror() {
  find_loader();
  if (error == nullptr) return libraries.loader.error();
  const char* text = error;
  error = nullptr;
  return const_cast<char*>(text);
}
