#include "runtime/kernel/stack.hpp"

#include <unwind.h>

#include "runtime/kernel/current.hpp"

namespace heddle::runtime {

constinit detail::Unwinding detail::unwinding{};

namespace {

using detail::unwinding;

_Unwind_Reason_Code add_frame(_Unwind_Context* context, void* out) {
  auto& stack = *static_cast<Stack*>(out);
  constexpr int rbp = 6;
  const std::uint64_t at = _Unwind_GetIP(context);
  if (at == 0 || stack.depth == max_depth) return _URC_END_OF_STACK;
  stack.frames[stack.depth++] = {at, _Unwind_GetCFA(context), _Unwind_GetGR(context, rbp)};
  return _URC_NO_REASON;
}

}  // namespace

// A program may have corrupted its stack. Then the result is as much as could be read.
Stack current_stack() {
  static Stack stack;  // not on the stack itself, which is abandoned then
  stack.thread = current().id;
  stack.depth = 0;
  if (__builtin_setjmp(unwinding.recovery) == 0) {
    unwinding.active = true;
    _Unwind_Backtrace(add_frame, &stack);
  }
  unwinding.active = false;
  return stack;
}

void give_up_unwinding() { __builtin_longjmp(unwinding.recovery, 1); }

}  // namespace heddle::runtime
