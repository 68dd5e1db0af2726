#include "runtime/explain.hpp"

#include <unwind.h>

#include "runtime/heap.hpp"
#include "runtime/scheduler.hpp"

namespace heddle::runtime {

namespace detail {
bool explaining = false, unwinding = false;
}

namespace {

struct SiteWithStack {
  abi::Site site;
  const abi::Site* original;
  Stack stack;
};

void* recovery[5];

constexpr std::uint32_t max_stacks = 1 << 16;  // later accesses do without
SiteWithStack* stacks;
std::uint32_t stack_count;

_Unwind_Reason_Code add_frame(_Unwind_Context* context, void* out) {
  auto& stack = *static_cast<Stack*>(out);
  const auto at = reinterpret_cast<const void*>(_Unwind_GetIP(context));
  if (at == nullptr || stack.depth == max_depth) return _URC_END_OF_STACK;
  stack.frames[stack.depth++] = at;
  return _URC_NO_REASON;
}

bool is_ours(const abi::Site* site) {
  const auto* s = reinterpret_cast<const SiteWithStack*>(site);
  return is_explaining() && stacks <= s && s < stacks + stack_count;
}

}  // namespace

void begin_explaining(bool on) {
  detail::explaining = on;
  stack_count = 0;
  if (on && stacks == nullptr)
    stacks = static_cast<SiteWithStack*>(map_anywhere(max_stacks * sizeof(SiteWithStack)));
}

// A program may have smashed its stack. Then we have as much as could be read.
Stack current_stack() {
  static Stack stack;  // not on the stack itself, which is left in the middle then
  stack.thread = current().id;
  stack.depth = 0;
  if (__builtin_setjmp(recovery) == 0) {
    detail::unwinding = true;
    _Unwind_Backtrace(add_frame, &stack);
  }
  detail::unwinding = false;
  return stack;
}

void give_up_unwinding() { __builtin_longjmp(recovery, 1); }

const abi::Site* add_stack(const abi::Site* site) {
  if (stack_count == max_stacks || site == nullptr) return site;
  SiteWithStack& s = stacks[stack_count];
  s = {*site, site, current_stack()};
  ++stack_count;
  return &s.site;
}

const abi::Site* site_of(const abi::Site* site) {
  return is_ours(site) ? reinterpret_cast<const SiteWithStack*>(site)->original : site;
}

const Stack* stack_of(const abi::Site* site) {
  return is_ours(site) ? &reinterpret_cast<const SiteWithStack*>(site)->stack : nullptr;
}

}  // namespace heddle::runtime
