#include "pass/library.hpp"

#include <algorithm>

namespace heddle::pass {
namespace {

using llvm::StringRef;

bool starts_with_any(StringRef name, std::initializer_list<const char*> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const char* prefix) { return name.starts_with(prefix); });
}

}  // namespace

bool is_standard_library(StringRef name) {
  return starts_with_any(name, {"_ZNSt", "_ZNKSt", "_ZSt", "_ZNVSt", "_ZNVKSt", "_ZNRSt", "_ZNKRSt",
                                "_ZNOSt", "_ZNKOSt", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx"}) ||
         name.contains("__gthread_");
}

bool is_atomic_function(StringRef name) {
  return name.starts_with("__VERIFIER_atomic_") && name != "__VERIFIER_atomic_begin" &&
         name != "__VERIFIER_atomic_end";
}

bool is_tracked(StringRef name) {
  const abi::Function* row = abi::find_function({name.data(), name.size()});
  if (row != nullptr) return row->kind == abi::FunctionKind::stand_in;
  // Functions of libstdc++ that only call such.
  return starts_with_any(name, {"_ZNSt11this_thread", "_ZNSt18condition_variable",
                                "_ZNSt6thread4joinEv", "_ZNSt6thread6detachEv"});
}

bool only_borrows(StringRef name, unsigned argument) {
  const abi::Function* row = abi::find_function({name.data(), name.size()});
  if (row == nullptr || row->kind == abi::FunctionKind::refused) return false;
  const abi::Uses uses = abi::uses_of(*row);
  return std::ranges::any_of(
      uses.all(), [&](const abi::Use& use) { return use.argument == argument && !use.kept; });
}

std::optional<abi::StringUse> string_use(StringRef name) {
  if (name.starts_with("_ZNKSt7__cxx1112basic_string")) return abi::string_read;
  if (!name.starts_with("_ZNSt7__cxx1112basic_string")) return std::nullopt;
  return name.contains("EEC1") || name.contains("EEC2") ? abi::string_construct : abi::string_write;
}

}  // namespace heddle::pass
