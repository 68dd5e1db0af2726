#include "native/unseen.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <unordered_set>

#include "native/process_memory.hpp"
#include "runtime/abi.h"
#include "runtime/functions.h"

namespace heddle::native {
namespace {

// Of the functions that modules with hooks call and do not define.
struct Outside {
  std::map<std::string, std::uint8_t> called;  // and how, see abi::Called
  std::unordered_set<std::uint64_t> defined;   // by another such module: hashes of names
};

// What is more was overwritten.
constexpr std::uint32_t most_in_module = 1U << 26;

std::uint8_t called(const abi::Calls& calls, std::uint64_t number) {
  return number < abi::max_called ? calls.called[number] : std::uint8_t{0};
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
    const std::uint8_t how = which.first == abi::not_noted
                                 ? abi::called_directly | abi::called_by_address
                                 : called(calls, std::uint64_t{which.first} + k);
    if (!name.empty() && how != 0) to.called[name] |= how;
  }
}

// Nothing that such a function does to the program's memory is hidden.
bool is_seen(const std::string& name, std::uint8_t how) {
  if (name.starts_with("_ZNSt7__cxx1112basic_string") ||
      name.starts_with("_ZNKSt7__cxx1112basic_string"))
    return true;
  const abi::Function* row = abi::find_function(name);
  if (row == nullptr) return abi::is_harmless(name);
  const bool needs_hook =
      row->kind == abi::FunctionKind::told || row->kind == abi::FunctionKind::own_hook;
  return !needs_hook || (how & abi::called_by_address) == 0;
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
  outside.called["main"] = abi::called_directly;  // a library can have it
  for (std::uint32_t k = 0; k < calls.modules; ++k) add(calls, calls.module[k], process, outside);
  std::set<std::string> out;
  for (const auto& [name, how] : outside.called)
    if (!outside.defined.contains(abi::name_hash(name)) && !is_seen(name, how))
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
