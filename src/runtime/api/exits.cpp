#include "runtime/api/exits.hpp"

#include <cxxabi.h>
#include <link.h>
#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iterator>
#include <span>
#include <typeinfo>

#include "runtime/api/signals.hpp"
#include "runtime/api/threads.hpp"
#include "runtime/kernel/before_main.hpp"
#include "runtime/kernel/clocks.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/kernel/thread_life.hpp"
#include "runtime/kernel/visible.hpp"
#include "runtime/memory/hidden.hpp"
#include "runtime/sys/export.hpp"
#include "runtime/sys/process.hpp"

namespace heddle::runtime {
namespace {

using abi::Finding;

// A function to be called at exit: with an argument or, if on_exit registered it, also the status.
struct ExitFunction {
  void (*function)(void*);
  void (*with_status)(int, void*);
  void* argument;
  const void* object;  // whose destructor it is, if it was registered before main
  bool of_library;     // a standard library's own: it does not matter which thread calls it
};

// As long as it is the same, no other thread has continued, and the current one has released
// nothing: then to report the same use of memory that is not visible again would say nothing new.
struct Moment {
  std::uint64_t switches = 0;
  std::uint32_t tick = 0;

  static Moment now() {
    const unsigned id = current().id;
    return {switch_count(), clock_of(id).now[id]};
  }
  bool operator==(const Moment&) const = default;
};

// Where libstdc++ and the runtime are. (To look up each address would take long: they have many
// symbols.)
class StandardLibraries {
 public:
  void find() {
    dl_iterate_phdr(
        [](dl_phdr_info* object, std::size_t, void* self) {
          if (std::strstr(object->dlpi_name, "/libstdc++.so") != nullptr ||
              std::strstr(object->dlpi_name, "/libheddle_rt.so") != nullptr)
            static_cast<StandardLibraries*>(self)->add(*object);
          return 0;
        },
        this);
  }
  bool contain(const void* address) const {
    const auto at = reinterpret_cast<std::uint64_t>(address);
    return std::any_of(parts_, parts_ + count_,
                       [&](const Part& p) { return p.begin <= at && at < p.end; });
  }

 private:
  struct Part {
    std::uint64_t begin, end;
  };
  void add(const dl_phdr_info& object) {
    for (int k = 0; k < object.dlpi_phnum; ++k) {
      const auto& header = object.dlpi_phdr[k];
      const std::uint64_t begin = object.dlpi_addr + header.p_vaddr;
      if (header.p_type != PT_LOAD) continue;
      if (count_ == std::size(parts_)) refuse("libstdc++ has more segments than heddle expects");
      parts_[count_++] = {begin, begin + header.p_memsz};
    }
  }

  Part parts_[16]{};  // each of the two has four or five
  std::size_t count_ = 0;
};

class ExitFunctions {
 public:
  explicit constexpr ExitFunctions(Part& part) : part_(part) {}

  void add(const ExitFunction& f) {
    if (count_ == max) reach_bound(abi::Bound::functions_at_exit);
    change(part_);
    if (count_ < unchanged_) unchanged_ = count_;
    functions_[count_++] = f;
    // What was done before is seen by the function, whichever thread calls it.
    if (is_running() && is_concurrent()) release(current().id, &part_);
  }

  // The latest first; also those that are added meanwhile.
  void call_all(int status) {
    for (Moment told{};;) {
      if (any_visible() || told != Moment::now()) {
        look_at(part_);
        if (count_ == 0) return;
        change(part_);
        if (is_concurrent()) acquire(current().id, &part_);
        told = Moment::now();
      }
      if (count_ == 0) return;  // or another thread came first
      const ExitFunction f = functions_[--count_];
      f.with_status != nullptr ? f.with_status(status, f.argument) : f.function(f.argument);
    }
  }

  bool has_programs() const {
    return std::any_of(functions_, functions_ + count_,
                       [](const ExitFunction& f) { return !f.of_library; });
  }

  void remember(const StandardLibraries& standard_libraries) {
    for (ExitFunction& f : std::span(functions_, count_))
      f.of_library = standard_libraries.contain(f.object);
    std::memcpy(first_, functions_, count_ * sizeof functions_[0]);
    first_count_ = unchanged_ = count_;
  }
  void restore() {
    std::memcpy(functions_ + unchanged_, first_ + unchanged_,
                (first_count_ - unchanged_) * sizeof functions_[0]);
    count_ = unchanged_ = first_count_;
  }
  void save(Savepoint& into) {
    into.undo([](void* p, std::uint64_t) { static_cast<ExitFunctions*>(p)->restore(); }, this, 0);
    into.keep(count_);
    if (count_ <= unchanged_) return;
    into.keep(unchanged_);
    into.keep(functions_ + unchanged_, (count_ - unchanged_) * sizeof functions_[0]);
  }

 private:
  static constexpr unsigned max = 1024;
  Part& part_;
  ExitFunction functions_[max]{}, first_[max]{};
  unsigned count_ = 0, first_count_ = 0;
  unsigned unchanged_ = 0;  // this many are the first ones: none has been added in their places
};

// Destructors of the program as the linker has gathered them: functions that are declared as such.
struct Finals {
  void (**begin)();
  std::size_t count;
};

struct Exits {
  // Once, when main begins.
  StandardLibraries standard_libraries;
  Finals finals;
  // Of a run.
  ExitFunctions functions{hidden.functions_at_exit};
  ExitFunctions quick_functions{hidden.functions_at_quick_exit};
  unsigned exiting;  // the number of the thread that exits, + 1
  bool finalised;    // what comes after all of the functions has been called
};
constinit Exits exits{};

int find_finals(dl_phdr_info* object, std::size_t, void*) {
  std::uint64_t size = 0;
  for (int k = 0; k < object->dlpi_phnum; ++k) {
    const auto& header = object->dlpi_phdr[k];
    if (header.p_type != PT_DYNAMIC) continue;
    const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(object->dlpi_addr + header.p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_FINI_ARRAY)
        exits.finals.begin = reinterpret_cast<void (**)()>(object->dlpi_addr + entry->d_un.d_ptr);
      if (entry->d_tag == DT_FINI_ARRAYSZ) size = entry->d_un.d_val;
    }
  }
  exits.finals.count = size / sizeof *exits.finals.begin;
  return 1;  // the first object is the program itself
}

// One of them is the compiler's own, which has nothing to do here.
void call_finals() {
  if (exits.finalised || exits.finals.count <= 1) return;
  exits.finalised = true;
  for (std::size_t k = exits.finals.count; k > 0; --k) exits.finals.begin[k - 1]();
}

[[noreturn]] void leave_now(int status) {
  if (is_running()) exit_process(status);
  char text[64];
  std::snprintf(text, sizeof text, "the program ends with status %d", status);
  end_before_main(status == 0 ? Finding::none : Finding::exit, text);
}

void begin_exit() {
  change(hidden.exiting);
  const unsigned self = current().id + 1;
  if (exits.exiting != 0 && exits.exiting != self) stop_for_ever();
  exits.exiting = self;
}

void describe_exception(char* out, std::size_t size) {
  const std::type_info* type = __cxxabiv1::__cxa_current_exception_type();
  if (type == nullptr) {
    std::snprintf(out, size, "std::terminate is called");
    return;
  }
  char* name = __cxxabiv1::__cxa_demangle(type->name(), nullptr, nullptr, nullptr);
  const char* shown = name == nullptr ? type->name() : name;
  try {
    throw;
  } catch (const std::exception& e) {
    std::snprintf(out, size, "an exception is not caught: %s: %s", shown, e.what());
  } catch (...) {
    std::snprintf(out, size, "an exception is not caught: %s", shown);
  }
}

[[noreturn]] void on_terminate() {
  char text[512];
  describe_exception(text, sizeof text);
  if (!is_running()) end_before_main(Finding::terminate, text);
  fail(Finding::terminate, text);
}

}  // namespace

void remember_exit_functions() {
  exits.standard_libraries.find();
  exits.functions.remember(exits.standard_libraries);
  exits.quick_functions.remember(exits.standard_libraries);
  dl_iterate_phdr(find_finals, nullptr);
}
void restore_exit_functions() {
  exits.functions.restore();
  exits.quick_functions.restore();
  exits.exiting = 0;
  exits.finalised = false;
}
void save_exit_functions(Savepoint& into) {
  exits.functions.save(into);
  exits.quick_functions.save(into);
  into.keep(exits.exiting);
  into.keep(exits.finalised);
}

void catch_terminate() { std::set_terminate(on_terminate); }

bool does_something_at_exit() { return exits.functions.has_programs() || exits.finals.count > 1; }

// One thread exits; other threads that want to exit wait for it, which is for ever. (It may call
// exit again.)
void exit_program(int status) {
  begin_exit();
  run_thread_locals();
  exits.functions.call_all(status);
  call_finals();
  leave_now(status);
}

void fail_assertion(const char* condition, const char* file, unsigned line, const char* function) {
  char text[512];
  if (!is_running()) {
    std::snprintf(text, sizeof text, "%s:%u: %s: assertion '%s' failed", file, line,
                  function == nullptr ? "?" : function, condition);
    end_before_main(Finding::assertion, text);
  }
  std::snprintf(text, sizeof text, "assertion '%s' failed", condition);
  fail(Finding::assertion, text);
}

}  // namespace heddle::runtime

using namespace heddle::runtime;
using heddle::abi::Finding;

HEDDLE_EXPORT int __cxa_atexit(void (*function)(void*), void* argument, void* object) noexcept {
  exits.functions.add({function, nullptr, argument, is_running() ? nullptr : object, false});
  return 0;
}
HEDDLE_EXPORT int on_exit(void (*function)(int, void*), void* argument) noexcept {
  exits.functions.add({nullptr, function, argument, nullptr, false});
  return 0;
}
HEDDLE_EXPORT int __cxa_at_quick_exit(void (*function)(void*), void*) noexcept {
  exits.quick_functions.add({function, nullptr, nullptr, nullptr, false});
  return 0;
}
HEDDLE_EXPORT void __cxa_finalize(void*) noexcept {}

HEDDLE_EXPORT void exit(int status) {
  if (is_running()) exit_program(status);
  leave_now(status);
}
HEDDLE_EXPORT void _exit(int status) { leave_now(status); }
HEDDLE_EXPORT void _Exit(int status) { leave_now(status); }
HEDDLE_EXPORT void quick_exit(int status) noexcept {
  if (is_running()) {
    begin_exit();
    exits.quick_functions.call_all(status);
  }
  leave_now(status);
}

HEDDLE_EXPORT void abort() {
  if (!is_running()) end_before_main(Finding::abort, "abort is called");
  if (has_handler(SIGABRT)) {
    set_signal_mask(signal_mask() & ~(std::uint64_t{1} << (SIGABRT - 1)));
    raise_signal(SIGABRT);
  }
  fail(Finding::abort, "abort is called");
}

HEDDLE_EXPORT void __assert_fail(const char* condition, const char* file, unsigned line,
                                 const char* function) {
  fail_assertion(condition, file, line, function);
}
