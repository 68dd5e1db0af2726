#include "runtime/exits.hpp"

#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <typeinfo>

#include "runtime/early.hpp"
#include "runtime/export.hpp"
#include "runtime/process.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/threads.hpp"

namespace heddle::runtime {
namespace {

using abi::Finding;

struct ExitFunction {
  void (*function)(void*);
  void* argument;
};
constexpr unsigned max_exit_functions = 1024;
ExitFunction exit_functions[max_exit_functions], first_exit_functions[max_exit_functions];
unsigned exit_count, first_exit_count;

[[noreturn]] void leave_now(int status) {
  if (is_running()) exit_process(status);
  char text[64];
  std::snprintf(text, sizeof text, "the program ends with status %d", status);
  end_before_main(status == 0 ? Finding::none : Finding::exit, text);
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
  std::memcpy(first_exit_functions, exit_functions, sizeof exit_functions);
  first_exit_count = exit_count;
}
void restore_exit_functions() {
  std::memcpy(exit_functions, first_exit_functions, first_exit_count * sizeof exit_functions[0]);
  exit_count = first_exit_count;
}
void save_exit_functions(Savepoint& into) {
  into.keep(exit_functions, exit_count * sizeof exit_functions[0]);
  into.keep(exit_count);
}

void catch_terminate() { std::set_terminate(on_terminate); }

void exit_program(int status) {
  run_thread_destructors();
  while (exit_count > 0) {
    const ExitFunction f = exit_functions[--exit_count];
    f.function(f.argument);
  }
  leave_now(status);
}

}  // namespace heddle::runtime

using namespace heddle::runtime;
using heddle::abi::Finding;

HEDDLE_EXPORT int __cxa_atexit(void (*function)(void*), void* argument, void*) noexcept {
  if (exit_count == max_exit_functions) {
    if (is_running()) unsupported("more than 1024 functions to be called at exit");
    refuse("more than 1024 functions are to be called at exit");
  }
  exit_functions[exit_count++] = {function, argument};
  return 0;
}
HEDDLE_EXPORT void __cxa_finalize(void*) noexcept {}

HEDDLE_EXPORT void exit(int status) {
  if (is_running()) exit_program(status);
  leave_now(status);
}
HEDDLE_EXPORT void _exit(int status) { leave_now(status); }
HEDDLE_EXPORT void _Exit(int status) { leave_now(status); }
HEDDLE_EXPORT void quick_exit(int status) { leave_now(status); }

HEDDLE_EXPORT void abort() {
  if (!is_running()) end_before_main(Finding::abort, "abort is called");
  fail(Finding::abort, "abort is called");
}

HEDDLE_EXPORT void __assert_fail(const char* condition, const char* file, unsigned line,
                                 const char* function) {
  char text[512];
  if (!is_running()) {
    std::snprintf(text, sizeof text, "%s:%u: %s: assertion '%s' failed", file, line,
                  function == nullptr ? "?" : function, condition);
    end_before_main(Finding::assertion, text);
  }
  std::snprintf(text, sizeof text, "assertion '%s' failed", condition);
  fail(Finding::assertion, text);
}
