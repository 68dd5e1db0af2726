#include "runtime/kernel/dead_values.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "runtime/code/call_sites.hpp"

// Each saves some registers, calls, and uses some of them after the call.
asm(R"(
.text
.type dead_leaf,@function
dead_leaf:
  .cfi_startproc
  ret
  .cfi_endproc
.size dead_leaf, .-dead_leaf

.globl dead_inner
.type dead_inner,@function
dead_inner:                     # saves rbx and r12; uses r12
  .cfi_startproc
  pushq %rbx
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset rbx, 0
  pushq %r12
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset r12, 0
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  call dead_leaf
  movq %r12, %rax
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  popq %r12
  .cfi_adjust_cfa_offset -8
  .cfi_restore r12
  popq %rbx
  .cfi_adjust_cfa_offset -8
  .cfi_restore rbx
  ret
  .cfi_endproc
.size dead_inner, .-dead_inner

.globl dead_outer
.type dead_outer,@function
dead_outer:                     # saves rbx, r12, r13 and r14; uses rbx and r13
  .cfi_startproc
  pushq %rbx
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset rbx, 0
  pushq %r12
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset r12, 0
  pushq %r13
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset r13, 0
  pushq %r14
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset r14, 0
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  call dead_inner
  leaq (%rbx,%r13), %rax
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  popq %r14
  .cfi_adjust_cfa_offset -8
  .cfi_restore r14
  popq %r13
  .cfi_adjust_cfa_offset -8
  .cfi_restore r13
  popq %r12
  .cfi_adjust_cfa_offset -8
  .cfi_restore r12
  popq %rbx
  .cfi_adjust_cfa_offset -8
  .cfi_restore rbx
  ret
  .cfi_endproc
.size dead_outer, .-dead_outer

.globl dead_opaque
.type dead_opaque,@function
dead_opaque:                    # has an instruction that is not known
  .cfi_startproc
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  call dead_leaf
  .byte 0x0f, 0x04
  .cfi_endproc
.size dead_opaque, .-dead_opaque

.globl dead_framed
.type dead_framed,@function
dead_framed:                    # has a frame of any size, found by rbp; saves rbx, uses nothing
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register rbp
  pushq %rbx
  .cfi_offset rbx, -24
  subq %rax, %rsp
  call dead_leaf
  movq -8(%rbp), %rbx
  leave
  .cfi_def_cfa rsp, 8
  ret
  .cfi_endproc
.size dead_framed, .-dead_framed
)");
extern "C" void dead_inner();
extern "C" void dead_outer();
extern "C" void dead_opaque();
extern "C" void dead_framed();

namespace heddle::runtime {
namespace {

// Kept registers, by place.
enum { rbx, rbp, r12, r13, r14, r15 };

template <typename Function>
std::uint64_t return_address_in(Function* f) {
  const Calls calls = find_calls(reinterpret_cast<std::uint64_t>(f));
  return calls.count == 0 ? 0 : calls.list[0].return_address;
}

// A stack that is written from its end downwards.
struct Stack {
  std::uint64_t words[64] = {};
  std::uint64_t* at = words + 60;

  void push(std::uint64_t word) { *--at = word; }
  // As on the way into the scheduler: a return address, and the registers below.
  std::uint64_t* enter(std::uint64_t return_address) {
    push(return_address);
    std::uint64_t* const entered = at;
    for (unsigned k = 0; k < kept_registers; ++k) push(100 + k);
    return entered;
  }
  Range range() { return {reinterpret_cast<char*>(words), reinterpret_cast<char*>(words + 60)}; }
};

std::vector<std::uint64_t> registers(const std::uint64_t* entered) {
  return {entered[-1], entered[-2], entered[-3], entered[-4], entered[-5], entered[-6]};
}

TEST(DeadValues, of_two_frames_are_cleared) {
  Stack s;
  // The outermost is not known: it may use what it likes.
  s.push(0);
  std::uint64_t* const outer_end = s.at + 1;
  for (const std::uint64_t r : {201, 202, 203, 204, 205})
    s.push(r);  // rbx, r12, r13, r14, and a hole
  s.push(return_address_in(dead_outer));
  std::uint64_t* const inner_end = s.at + 1;
  for (const std::uint64_t r : {301, 302, 303}) s.push(r);  // rbx, r12, and a hole
  std::uint64_t* const entered = s.enter(return_address_in(dead_inner));
  end_dead_values(entered, s.range(), DeadValues::clear);
  // rbx is not used by the inner one, whose caller's is saved. r12 is used. r13 is the outer one's,
  // which uses it; r14 is the outer one's, which does not. rbp and r15 are those of the caller of
  // both.
  EXPECT_EQ(registers(entered), (std::vector<std::uint64_t>{0, 101, 102, 103, 0, 105}));
  EXPECT_EQ(inner_end[-2], 301U) << "the outer one uses its rbx";
  EXPECT_EQ(inner_end[-3], 0U) << "it does not use its r12";
  EXPECT_EQ(inner_end[-4], 303U) << "this is no register";
  EXPECT_EQ(std::vector<std::uint64_t>(outer_end - 6, outer_end - 1),
            (std::vector<std::uint64_t>{205, 204, 203, 202, 201}));
}

TEST(DeadValues, are_kept_where_the_first_frame_is_not_known) {
  Stack s;
  std::uint64_t* const entered = s.enter(12345);
  end_dead_values(entered, s.range(), DeadValues::clear);
  EXPECT_EQ(registers(entered), (std::vector<std::uint64_t>{100, 101, 102, 103, 104, 105}));
}

TEST(DeadValues, are_kept_if_a_function_further_in_may_use_them) {
  Stack s;
  s.push(0);
  for (const std::uint64_t r : {201, 202, 203, 204, 205}) s.push(r);
  s.push(return_address_in(dead_outer));
  s.push(7);
  constexpr std::uint64_t behind_call = 9;
  std::uint64_t* const entered =
      s.enter(reinterpret_cast<std::uint64_t>(&dead_opaque) + behind_call);
  ASSERT_TRUE(call_site(*entered).is_known);
  end_dead_values(entered, s.range(), DeadValues::clear);
  EXPECT_EQ(registers(entered), (std::vector<std::uint64_t>{100, 101, 102, 103, 104, 105}));
}

TEST(DeadValues, are_found_by_rbp) {
  Stack s;
  s.push(0);
  std::uint64_t* const end = s.at + 1;
  s.push(401);  // rbp
  s.push(402);  // rbx
  for (int k = 0; k < 7; ++k) s.push(7);
  std::uint64_t* const entered = s.enter(return_address_in(dead_framed));
  entered[-2] = reinterpret_cast<std::uint64_t>(end - 2);
  end_dead_values(entered, s.range(), DeadValues::clear);
  EXPECT_EQ(registers(entered), (std::vector<std::uint64_t>{0, entered[-2], 102, 103, 104, 105}));
  EXPECT_EQ(entered[-2], reinterpret_cast<std::uint64_t>(end - 2));
  EXPECT_EQ(end[-2], 401U);
  EXPECT_EQ(end[-3], 402U);
}

// As after a program has written over its stack.
TEST(DeadValues, of_frames_that_end_elsewhere_are_kept) {
  for (const std::uint64_t wrong : {0ULL, 8ULL, ~0ULL}) {
    Stack s;
    s.push(0);
    std::uint64_t* const entered = s.enter(return_address_in(dead_framed));
    entered[-2] = wrong;
    end_dead_values(entered, s.range(), DeadValues::clear);
    EXPECT_EQ(registers(entered), (std::vector<std::uint64_t>{100, wrong, 102, 103, 104, 105}));
  }
}

TEST(DeadValues, are_replaced_by_the_same_each_time) {
  Stack s;
  s.push(0);
  for (int k = 0; k < 3; ++k) s.push(7);
  std::uint64_t* const entered = s.enter(return_address_in(dead_inner));
  end_dead_values(entered, s.range(), DeadValues::replace);
  const std::uint64_t first = entered[-1];
  EXPECT_NE(first, 0U);
  EXPECT_NE(first, 100U);
  entered[-1] = 3;
  end_dead_values(entered, s.range(), DeadValues::replace);
  EXPECT_EQ(entered[-1], first);
}

}  // namespace
}  // namespace heddle::runtime
