// What else the system would keep of signals for each thread: the stack for handlers, which here
// run on the thread's own, and the mask that sigsetjmp keeps.
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>

#include <cerrno>
#include <cstddef>

#include "runtime/api/signals.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/sys/export.hpp"

using namespace heddle::runtime;

// In the set that the C library saves there, the system fills the first word only.
static_assert(offsetof(__jmp_buf_tag, __saved_mask) + 8 == 80);

// __sigsetjmp continues as the C library's, which needs the stack as its caller left it.
asm(R"(
.text
.globl __sigsetjmp
.type __sigsetjmp,@function
__sigsetjmp:
  .cfi_startproc
  testl %esi, %esi
  je 1f
  pushq %rdi
  .cfi_adjust_cfa_offset 8
  pushq %rsi
  .cfi_adjust_cfa_offset 8
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  call __heddle_signal_mask@PLT
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  popq %rsi
  .cfi_adjust_cfa_offset -8
  popq %rdi
  .cfi_adjust_cfa_offset -8
  movq %rax, 80(%rdi)
1:
  movq __heddle_sigsetjmp@GOTPCREL(%rip), %rax
  jmp *(%rax)
  .cfi_endproc
.size __sigsetjmp, .-__sigsetjmp
)");

HEDDLE_EXPORT std::uint64_t __heddle_signal_mask() { return signal_mask(); }

extern "C" {
__attribute__((visibility("default"), used)) void* __heddle_sigsetjmp = nullptr;
}

namespace {
__attribute__((constructor(101))) void find_sigsetjmp() {
  __heddle_sigsetjmp = dlsym(RTLD_NEXT, "__sigsetjmp");
}
}  // namespace

HEDDLE_EXPORT int sigaltstack(const stack_t* stack, stack_t* old) noexcept {
  static stack_t before_main{nullptr, SS_DISABLE, 0};
  stack_t& own = is_running() ? current().signal_stack : before_main;
  const stack_t last = own;
  if (stack != nullptr) {
    plain_read(stack, sizeof *stack);
    const bool disabled = (stack->ss_flags & SS_DISABLE) != 0;
    if (!disabled && stack->ss_size < static_cast<std::size_t>(2048)) {
      errno = ENOMEM;
      return -1;
    }
    own = disabled ? stack_t{nullptr, SS_DISABLE, 0} : *stack;
  }
  if (old != nullptr) {
    plain_write(old, sizeof *old);
    *old = last;
  }
  return 0;
}
