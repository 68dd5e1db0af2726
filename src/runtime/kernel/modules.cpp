#include "runtime/kernel/modules.hpp"

#include <dlfcn.h>

#include <atomic>
#include <string_view>

#include "runtime/abi/naming.h"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/trying.hpp"
#include "runtime/sys/export.hpp"
#include "runtime/sys/process.hpp"
#include "runtime/sys/system_code.hpp"

namespace heddle::runtime {

constinit detail::Modules detail::modules{};

namespace {

constexpr std::uint64_t odd = 0x9e3779b97f4a7c15ULL, other_odd = 0xc2b2ae3d27d4eb4fULL;

using detail::modules;

// In another run, or in a process that makes one: its memory is not as it was when this was noted.
void note_again(std::uint32_t k) {
  if (modules.shared != nullptr && modules.shared->module[k].first != abi::not_noted)
    modules.list[k]->called = modules.notes->called + modules.shared->module[k].first;
}

// The same in all processes of the program, as long as the module is at the same address; not 0.
std::uint64_t identity_of(const abi::Module& m) {
  const std::uint64_t hash = (reinterpret_cast<std::uint64_t>(&m) ^ m.outside_count) * odd ^
                             (std::uint64_t{m.outside_bytes} << 32 | m.own_count) * other_odd;
  return hash >> abi::first_bits | 1;
}

// The module notes its calls where all processes do, if there is room.
void note_in_channel(std::uint32_t k) {
  abi::Module& m = *modules.list[k];
  if (m.version != abi::version)
    refuse("this program was built for another version of heddle: build it again");
  modules.has_compares = modules.has_compares || m.compares != 0;
  abi::Modules::Module& entry = modules.shared->module[k];
  if (k < modules.shared->count && entry.address == reinterpret_cast<std::uint64_t>(&m))
    return note_again(k);
  entry = {reinterpret_cast<std::uint64_t>(&m),
           abi::name_module(*modules.notes, identity_of(m), m.outside_count), 0};
  modules.shared->count = k + 1;
  if (entry.first == abi::not_noted) return;
  std::uint8_t* called = modules.notes->called + entry.first;
  for (std::uint32_t n = 0; n < m.outside_count; ++n)
    std::atomic_ref(called[n]).fetch_or(m.called[n]);
  m.called = called;
}

Dl_info object_of(const void* address) {
  Dl_info out{};
  if (dladdr(address, &out) == 0 || out.dli_fname == nullptr) out = {"", nullptr, nullptr, nullptr};
  return out;
}

void add(abi::Module* module) {
  if (modules.count == abi::max_modules) {
    ++modules.left_out;
    if (modules.shared != nullptr) modules.shared->left_out = modules.left_out;
    return;
  }
  modules.list[modules.count++] = module;
  if (modules.shared != nullptr) note_in_channel(modules.count - 1);
}

}  // namespace

// Until then, modules note calls in memory of their own. Where there is no room, they continue to
// do so.
void share_modules(abi::Modules& list, abi::CallNotes& with) {
  modules.shared = &list;
  modules.notes = &with;
  list.count = 0;
  list.left_out = modules.left_out;
  for (std::uint32_t k = 0; k < modules.count; ++k) note_in_channel(k);
}

void register_in_runs() {
  if (!modules.registered_in_runs) modules.first_in_run = modules.count;
  modules.registered_in_runs = true;
  modules.next_in_run = modules.first_in_run;
}

// Called for each thread of each run, with the same few addresses.
bool is_foreign(const void* code) {
  static const void* last_code = nullptr;
  static bool last = false;
  if (code == last_code) return last;
  last_code = code;
  const std::string_view file = object_of(code).dli_fname;
  last = !is_in_system(code) && file.find("libstdc++.so") == file.npos;
  for (std::uint32_t k = 0; k < modules.count; ++k)
    last = last && object_of(modules.list[k]).dli_fbase != object_of(code).dli_fbase;
  return last;
}

}  // namespace heddle::runtime

HEDDLE_EXPORT void __heddle_module(heddle::abi::Module* module) {
  using namespace heddle::runtime;
  if (is_running() && modules.next_in_run < modules.count &&
      modules.list[modules.next_in_run] == module)
    return note_again(modules.next_in_run++);
  add(module);
  modules.next_in_run = modules.count;
}

HEDDLE_EXPORT void __heddle_call(const heddle::abi::Site* site, const heddle::abi::Module* module,
                                 std::uint32_t callee) {
  using namespace heddle::runtime;
  // Processes that share this byte may set another bit of it at the same time.
  std::uint8_t& called = module->called[callee];
  if ((called & heddle::abi::called_directly) == 0)
    std::atomic_ref(called).fetch_or(heddle::abi::called_directly);
  if (!is_running()) return;
  current().site = site;
  if (is_trying() && site->size == heddle::abi::untracked_call) try_effect();
}
