#include "native/unseen.hpp"

#include <cxxabi.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <set>
#include <string_view>
#include <unordered_set>

#include "native/process_memory.hpp"
#include "runtime/abi.h"

namespace heddle::native {
namespace {

// Of the functions that modules with hooks call and do not define.
struct Outside {
  std::set<std::string> called;
  std::unordered_set<std::uint64_t> defined;  // by another such module: hashes of names
};

// What is more was overwritten.
constexpr std::uint32_t most_in_module = 1U << 26;

bool is_called(const abi::Calls& calls, std::uint64_t number) {
  return number < abi::max_called && calls.called[number] != 0;
}

void add(const abi::Calls& calls, const abi::Calls::Module& which, pid_t process, Outside& to) {
  abi::Module module{};
  if (!read_memory(process, which.address, &module, sizeof module)) return;
  if (module.own_count > most_in_module || module.outside_bytes > most_in_module) return;
  std::vector<std::uint64_t> own(module.own_count);
  std::string names(module.outside_bytes, '\0');
  if (!read_memory(process, reinterpret_cast<std::uint64_t>(module.own), own.data(),
                   own.size() * sizeof own[0]) ||
      !read_memory(process, reinterpret_cast<std::uint64_t>(module.outside), names.data(),
                   names.size()))
    return;
  to.defined.insert(own.begin(), own.end());
  std::size_t at = 0;
  for (std::uint32_t k = 0; k < module.outside_count && at < names.size(); ++k) {
    const std::string name = names.c_str() + at;
    at += name.size() + 1;
    if (!name.empty() &&
        (which.first == abi::not_noted || is_called(calls, std::uint64_t{which.first} + k)))
      to.called.insert(name);
  }
}

// The functions that a library has for others; none if it cannot be read.
std::set<std::string> functions_of(const std::string& file) {
  std::set<std::string> out;
  elf_version(EV_CURRENT);
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return out;
  Elf* elf = elf_begin(fd, ELF_C_READ, nullptr);
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_DYNSYM) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    GElf_Sym symbol;
    for (int k = 1; gelf_getsym(data, k, &symbol) != nullptr; ++k) {
      const bool is_function = GELF_ST_TYPE(symbol.st_info) == STT_FUNC;
      const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
      if (is_function && symbol.st_shndx != SHN_UNDEF && name != nullptr) out.insert(name);
    }
  }
  elf_end(elf);
  close(fd);
  return out;
}

// The runtime that the process has loaded.
std::string runtime_of(pid_t process) {
  std::ifstream maps(fmt::format("/proc/{}/maps", process));
  for (std::string line; std::getline(maps, line);)
    if (line.ends_with("/libheddle_rt.so")) return line.substr(line.find('/'));
  return "";
}

bool starts_with_any(std::string_view name, std::initializer_list<std::string_view> prefixes) {
  return std::ranges::any_of(prefixes, [&](std::string_view p) { return name.starts_with(p); });
}

// Those with hooks: see the pass.
bool has_hook(std::string_view name) {
  return std::ranges::find(abi::library_functions, name) != std::end(abi::library_functions) ||
         starts_with_any(name, {"_ZNSt7__cxx1112basic_string", "_ZNKSt7__cxx1112basic_string"});
}

// Those that compute, and those that do what they do by functions of the runtime: threads,
// conditions, futures and exceptions of libstdc++.
bool touches_nothing_shared(std::string_view name) {
  static constexpr std::string_view mathematics[] = {
      "sin",  "cos",   "tan",  "asin", "acos",  "atan",  "atan2", "sinh",  "cosh",  "tanh",
      "exp",  "exp2",  "log",  "log2", "log10", "pow",   "sqrt",  "cbrt",  "fmod",  "hypot",
      "fabs", "floor", "ceil", "abs",  "labs",  "llabs", "div",   "round", "lround"};
  std::string_view plain = name;
  if (plain.ends_with('f') || plain.ends_with('l')) plain.remove_suffix(1);
  if (std::ranges::count(mathematics, name) != 0 || std::ranges::count(mathematics, plain) != 0)
    return true;
  return name.find("__throw_") != std::string_view::npos ||
         starts_with_any(name, {"__cxa_",
                                "_Unwind_",
                                "__gxx_personality",
                                "__stack_chk_fail",
                                "__dynamic_cast",
                                "__errno_location",
                                "__ctype_",
                                "__libc_start_main",
                                "__once_proxy",
                                "toupper",
                                "tolower",
                                "isdigit",
                                "isalpha",
                                "_ZSt9terminate",
                                "_ZNSt6thread",
                                "_ZNKSt6thread",
                                "_ZNSt11this_thread",
                                "_ZNSt18condition_variable",
                                "_ZNSt3_V2",
                                "_ZNKSt3_V2",
                                "_ZNSt13__future_base",
                                "_ZSt15future_category",
                                "_ZNSt12future_error",
                                "_ZNSt28__atomic_futex_unsigned_base",
                                "_ZNSt15__exception_ptr",
                                "_ZSt17rethrow_exception",
                                "_ZSt17current_exception",
                                "_ZNSt9exception",
                                "_ZNKSt9exception",
                                "_ZNSt13runtime_error",
                                "_ZNSt11logic_error",
                                "_ZNSt12system_error",
                                "_ZNSt16invalid_argument",
                                "_ZNSt12out_of_range",
                                "_ZNSt12length_error",
                                "_ZNSt9bad_alloc",
                                "_ZNSt6chrono",
                                "_ZNSt8ios_base4Init",
                                "_ZNSt19_Sp_make_shared_tag",
                                "_ZNSt10_Sp_locker",
                                "_ZNSt9once_flag"});
}

// "std::ostream::operator<<(int)" is "std::ostream::operator<<" to people.
std::string shown(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      __cxxabiv1::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  if (status != 0) return name;
  const std::string_view whole = text.get();
  return std::string(whole.substr(0, whole.find('(')));
}

std::vector<std::string> unseen_in(pid_t process, const abi::Calls& calls) {
  Outside outside;
  outside.called.insert("main");  // a library can have it
  for (std::uint32_t k = 0; k < calls.modules; ++k) add(calls, calls.module[k], process, outside);
  const std::set<std::string> runtime = functions_of(runtime_of(process));
  std::set<std::string> out;
  for (const std::string& name : outside.called)
    if (!outside.defined.contains(abi::name_hash(name)) && !runtime.contains(name) &&
        !has_hook(name) && !touches_nothing_shared(name))
      out.insert(shown(name));
  if (calls.modules_left_out != 0)
    out.insert(fmt::format("those of {} further modules", calls.modules_left_out));
  return {out.begin(), out.end()};
}

}  // namespace

std::vector<std::string> unseen_functions(Worker& worker) {
  return worker.with_process([&](pid_t process) { return unseen_in(process, *worker.calls()); });
}

}  // namespace heddle::native
