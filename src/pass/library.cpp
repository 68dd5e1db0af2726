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

bool is_arithmetic(const llvm::Function& f) {
  const llvm::FunctionType* type = f.getFunctionType();
  const StringRef name = f.getName();
  return f.isDeclaration() && abi::is_mathematics({name.data(), name.size()}) &&
         type->getReturnType()->isFloatingPointTy() && !type->isVarArg() &&
         llvm::all_of(type->params(), [](const llvm::Type* t) { return t->isFloatingPointTy(); });
}

bool is_atomic_function(StringRef name) {
  return name.starts_with("__VERIFIER_atomic_") && name != "__VERIFIER_atomic_begin" &&
         name != "__VERIFIER_atomic_end";
}

bool is_tracked(StringRef name) {
  // Functions of libstdc++ that only call such.
  if (starts_with_any(name, {"_ZNSt11this_thread", "_ZNSt6chrono3_V2", "_ZNSt18condition_variable",
                             "_ZNSt6thread4joinEv", "_ZNSt6thread6detachEv"}))
    return true;
  const abi::Function* row = abi::find_function({name.data(), name.size()});
  return row != nullptr && row->kind == abi::FunctionKind::stand_in;
}

bool only_borrows(StringRef name, unsigned argument) {
  const abi::Function* row = abi::find_function({name.data(), name.size()});
  if (row == nullptr || row->kind == abi::FunctionKind::refused) return false;
  const abi::Uses uses = abi::uses_of(*row);
  return std::ranges::any_of(
      uses.all(), [&](const abi::Use& use) { return use.argument == argument && !use.kept; });
}

bool keeps_to_itself(StringRef name) {
  return abi::is_harmless({name.data(), name.size()}) ||
         starts_with_any(
             name, {"__heddle_", "heddle_assume", "heddle_fail", "heddle_choose", "heddle_atomic",
                    "heddle_yield", "heddle_outcome", "llvm.", "_Zdl", "_Zda", "pthread_mutex",
                    "pthread_cond", "pthread_rwlock", "pthread_spin", "pthread_barrier", "sem_",
                    "mtx_", "cnd_", "_ZNSt18condition_variable"});
}

unsigned looks_at_string(StringRef name) {
  if (name.starts_with("_ZNSt") &&
      (name.ends_with("C1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE") ||
       name.ends_with("C2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE")))
    return 1;  // of an exception
  if (!name.consume_front("_ZNKSt7__cxx1112basic_stringI")) return 0;
  const unsigned bytes = name.starts_with("c") ? 1 : name.starts_with("w") ? 4 : 0;
  const std::size_t member = name.find("ESaI");
  if (member == StringRef::npos) return 0;
  name = name.drop_front(member + 4).drop_front(1);  // behind the allocator of such characters
  if (!name.consume_front("EE")) return 0;
  static constexpr const char* members[] = {"4findERKS4_m",
                                            "5rfindERKS4_m",
                                            "13find_first_ofERKS4_m",
                                            "12find_last_ofERKS4_m",
                                            "17find_first_not_ofERKS4_m",
                                            "16find_last_not_ofERKS4_m",
                                            "7compareERKS4_"};
  return llvm::is_contained(members, name) ? bytes : 0;
}

}  // namespace heddle::pass
