// The stack of a thread, as addresses of code.
#pragma once

#include <cstdint>

#include "runtime/abi/wire.h"

namespace heddle::runtime {

// Frames of a stack that are recorded: enough to show where a thread is in most programs, while a
// stack stays about a kilobyte. Outer frames beyond that are not shown.
inline constexpr unsigned max_depth = 48;

// Where a thread was, the innermost frame first.
struct Stack {
  std::uint32_t thread;
  std::uint32_t depth;
  abi::WireFrame frames[max_depth];
};

Stack current_stack();

namespace detail {
struct Unwinding {
  bool active;
  void* recovery[5];  // where to continue if it fails
};
extern Unwinding unwinding;
}  // namespace detail
// A fault that comes from reading a stack: returns to the caller of current_stack.
inline bool is_unwinding() { return detail::unwinding.active; }
[[noreturn]] void give_up_unwinding();

}  // namespace heddle::runtime
