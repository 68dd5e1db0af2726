// Runs that are to be explained: once a finding is known, its schedule is run again, and this time
// stacks are recorded, which would cost too much in every run.
#pragma once

#include <cstdint>

#include "runtime/abi.h"

namespace heddle::runtime {

namespace detail {
extern bool explaining, unwinding;
}
inline bool is_explaining() { return detail::explaining; }

inline constexpr unsigned max_depth = 24;

// Where a thread was, the innermost frame first.
struct Stack {
  std::uint32_t thread;
  std::uint32_t depth;
  const void* frames[max_depth];
};

void begin_explaining(bool on);

Stack current_stack();
// A fault that comes of reading a stack: back to who wanted it.
inline bool is_unwinding() { return detail::unwinding; }
[[noreturn]] void give_up_unwinding();

// The site, with the current stack behind it if the run is being explained.
const abi::Site* add_stack(const abi::Site* site);
inline const abi::Site* with_stack(const abi::Site* site) {
  return is_explaining() ? add_stack(site) : site;
}
// The site as the program has it, and its stack, or null.
const abi::Site* site_of(const abi::Site* site);
const Stack* stack_of(const abi::Site* site);

}  // namespace heddle::runtime
