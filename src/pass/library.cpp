#include "pass/library.hpp"

#include <algorithm>
#include <iterator>

namespace heddle::pass {
namespace {

using llvm::StringRef;

bool starts_with_any(StringRef name, std::initializer_list<const char*> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const char* prefix) { return name.starts_with(prefix); });
}

bool is_any(StringRef name, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
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
  if (is_any(name, {"pthread_once", "pthread_atfork"})) return false;  // they call anything
  return starts_with_any(name, {"__heddle_", "heddle_", "__VERIFIER_", "pthread_", "sem_", "mtx_",
                                "cnd_", "thrd_", "tss_"}) ||
         // Functions of libstdc++ that only call the above, and operators new and delete.
         starts_with_any(name,
                         {"_ZNSt11this_thread", "_ZNSt18condition_variable", "_ZNSt6thread4joinEv",
                          "_ZNSt6thread6detachEv", "_Znw", "_Zna", "_Zdl", "_Zda"}) ||
         is_any(name, {"sched_yield", "sleep", "usleep", "nanosleep", "clock_nanosleep", "syscall",
                       "malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "free"});
}

bool only_borrows(StringRef name, unsigned argument) {
  struct Borrowed {
    const char* function;
    unsigned first, last;
  };
  static constexpr Borrowed all[] = {
      {"nanosleep", 0, 1},
      {"clock_nanosleep", 2, 3},
      {"thrd_sleep", 0, 1},
      {"clock_gettime", 1, 1},
      {"gettimeofday", 0, 1},
      {"timespec_get", 0, 0},
      {"pthread_cond_timedwait", 2, 2},
      {"pthread_cond_clockwait", 3, 3},
      {"pthread_mutex_timedlock", 1, 1},
      {"pthread_mutex_clocklock", 2, 2},
      {"sem_timedwait", 1, 1},
      {"sem_clockwait", 2, 2},
      {"sem_getvalue", 1, 1},
      {"cnd_timedwait", 2, 2},
      {"mtx_timedlock", 1, 1},
  };
  return std::any_of(std::begin(all), std::end(all), [&](const Borrowed& b) {
    return name == b.function && b.first <= argument && argument <= b.last;
  });
}

bool has_library_hook(StringRef name) {
  return std::find(std::begin(abi::library_functions), std::end(abi::library_functions), name) !=
         std::end(abi::library_functions);
}

std::optional<abi::StringUse> string_use(StringRef name) {
  if (name.starts_with("_ZNKSt7__cxx1112basic_string")) return abi::string_read;
  if (!name.starts_with("_ZNSt7__cxx1112basic_string")) return std::nullopt;
  return name.contains("EEC1") || name.contains("EEC2") ? abi::string_construct : abi::string_write;
}

}  // namespace heddle::pass
