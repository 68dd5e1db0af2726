#include "runtime/kernel/turn.hpp"

#include <cstddef>

// void heddle_await_turn(Fiber::Entered* entered, void* (*take)()): notes the stack pointer and the
// registers that a call preserves, calls `take`, and clears the stack from the address that it
// returns, if that is not null, up to its own frame.
asm(R"(
.text
.globl heddle_await_turn
.hidden heddle_await_turn
.type heddle_await_turn,@function
heddle_await_turn:
  .cfi_startproc
  movq %rsp, (%rdi)
  movq %rbx, 8(%rdi)
  movq %rbp, 16(%rdi)
  movq %r12, 24(%rdi)
  movq %r13, 32(%rdi)
  movq %r14, 40(%rdi)
  movq %r15, 48(%rdi)
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  call *%rsi
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  testq %rax, %rax
  je 1f
  movq %rax, %rdi
  movq %rsp, %rcx
  subq %rdi, %rcx
  shrq $3, %rcx
  xorl %eax, %eax
  rep stosq
1:
  ret
  .cfi_endproc
.size heddle_await_turn, .-heddle_await_turn
)");
extern "C" void heddle_await_turn(heddle::runtime::Fiber::Entered* entered, void* (*take)());

namespace heddle::runtime {
namespace {

static_assert(offsetof(Fiber::Entered, stack) == 0 && offsetof(Fiber::Entered, registers) == 8 &&
              sizeof(Fiber::Entered) == 56);

}  // namespace

void take_turn(void* (*take)()) { heddle_await_turn(&current().entered, take); }

}  // namespace heddle::runtime
