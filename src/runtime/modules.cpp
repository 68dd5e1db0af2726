#include "runtime/modules.hpp"

#include <dlfcn.h>

#include <string_view>

#include "runtime/abi.h"
#include "runtime/export.hpp"
#include "runtime/image.hpp"
#include "runtime/process.hpp"
#include "runtime/scheduler.hpp"

namespace heddle::runtime {

bool detail::has_compares = false;

namespace {

abi::Module* modules[abi::max_modules];
std::uint32_t module_count, left_out;
std::uint32_t first_in_run, next_in_run;  // to be registered, if that is part of runs
bool registered_in_runs = false;
abi::Calls* shared = nullptr;

// In another run, or in a process that makes one: its memory is not as it was noted there.
void note_again(std::uint32_t k) {
  if (shared != nullptr && shared->module[k].first != abi::not_noted)
    modules[k]->called = shared->called + shared->module[k].first;
}

// It notes where all processes do, if there is room.
void note_in_channel(std::uint32_t k) {
  abi::Calls& calls = *shared;
  abi::Module& m = *modules[k];
  if (m.version != abi::version)
    refuse("this program was built for another version of heddle: build it again");
  detail::has_compares = detail::has_compares || m.compares != 0;
  if (k < calls.modules && calls.module[k].address == reinterpret_cast<std::uint64_t>(&m))
    return note_again(k);
  const bool fits = m.outside_count <= abi::max_called - calls.used;
  calls.module[k] = {reinterpret_cast<std::uint64_t>(&m), fits ? calls.used : abi::not_noted, 0};
  calls.modules = k + 1;
  if (!fits) return;
  std::uint8_t* called = calls.called + calls.used;
  for (std::uint32_t n = 0; n < m.outside_count; ++n) called[n] |= m.called[n];
  m.called = called;
  calls.used += m.outside_count;
}

Dl_info object_of(const void* address) {
  Dl_info out{};
  if (dladdr(address, &out) == 0 || out.dli_fname == nullptr) out = {"", nullptr, nullptr, nullptr};
  return out;
}

void add(abi::Module* module) {
  if (module_count == abi::max_modules) {
    ++left_out;
    if (shared != nullptr) shared->modules_left_out = left_out;
    return;
  }
  modules[module_count++] = module;
  if (shared != nullptr) note_in_channel(module_count - 1);
}

}  // namespace

// Until then, modules note in memory of their own. Where there is no room, they go on with that.
void share_modules(abi::Calls& calls) {
  shared = &calls;
  calls.modules = calls.used = 0;
  calls.modules_left_out = left_out;
  for (std::uint32_t k = 0; k < module_count; ++k) note_in_channel(k);
}

void register_in_runs() {
  if (!registered_in_runs) first_in_run = module_count;
  registered_in_runs = true;
  next_in_run = first_in_run;
}

// Asked for each thread of each run: of the same few places.
bool is_foreign(const void* code) {
  static const void* last_code = nullptr;
  static bool last = false;
  if (code == last_code) return last;
  last_code = code;
  const std::string_view file = object_of(code).dli_fname;
  last = !is_in_system(code) && file.find("libstdc++.so") == file.npos;
  for (std::uint32_t k = 0; k < module_count; ++k)
    last = last && object_of(modules[k]).dli_fbase != object_of(code).dli_fbase;
  return last;
}

}  // namespace heddle::runtime

HEDDLE_EXPORT void __heddle_module(heddle::abi::Module* module) {
  using namespace heddle::runtime;
  if (is_running() && next_in_run < module_count && modules[next_in_run] == module)
    return note_again(next_in_run++);
  add(module);
  next_in_run = module_count;
}
