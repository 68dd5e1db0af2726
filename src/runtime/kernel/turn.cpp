#include "runtime/kernel/turn.hpp"

// void heddle_await_turn(std::uint64_t** entered, void* (*take)()): notes the stack pointer, saves
// the registers that a call preserves below it, calls `take`, takes them from there again, and
// clears the stack from the address that `take` returned, if that is not null, up to its own frame.
asm(R"(
.text
.globl heddle_await_turn
.hidden heddle_await_turn
.type heddle_await_turn,@function
heddle_await_turn:
  .cfi_startproc
  movq %rsp, (%rdi)
  pushq %rbx
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset rbx, 0
  pushq %rbp
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset rbp, 0
  pushq %r12
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset r12, 0
  pushq %r13
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset r13, 0
  pushq %r14
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset r14, 0
  pushq %r15
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset r15, 0
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  call *%rsi
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  popq %r15
  .cfi_adjust_cfa_offset -8
  .cfi_restore r15
  popq %r14
  .cfi_adjust_cfa_offset -8
  .cfi_restore r14
  popq %r13
  .cfi_adjust_cfa_offset -8
  .cfi_restore r13
  popq %r12
  .cfi_adjust_cfa_offset -8
  .cfi_restore r12
  popq %rbp
  .cfi_adjust_cfa_offset -8
  .cfi_restore rbp
  popq %rbx
  .cfi_adjust_cfa_offset -8
  .cfi_restore rbx
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
extern "C" void heddle_await_turn(std::uint64_t** entered, void* (*take)());

namespace heddle::runtime {
void take_turn(void* (*take)()) { heddle_await_turn(&current().entered, take); }

}  // namespace heddle::runtime
