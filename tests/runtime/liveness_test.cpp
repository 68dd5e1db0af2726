// Which registers functions use after their calls: small functions in assembly, one for each rule.
#include "runtime/code/liveness.hpp"

#include <gtest/gtest.h>
#include <setjmp.h>

#include <stdexcept>

#include "runtime/code/call_sites.hpp"

// CASE(name, code): a function that saves rbx, rbp and r12 to r15 and begins with a call.
#define HEDDLE_CASE_BEGIN(name)                                    \
  ".globl " #name "\n.type " #name ",@function\n" #name            \
  ":\n"                                                            \
  ".cfi_startproc\n"                                               \
  "pushq %rbx\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset rbx, 0\n" \
  "pushq %rbp\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset rbp, 0\n" \
  "pushq %r12\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset r12, 0\n" \
  "pushq %r15\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset r15, 0\n" \
  "subq $8, %rsp\n.cfi_adjust_cfa_offset 8\n"                      \
  "call live_leaf\n"
#define HEDDLE_CASE_RETURN                                          \
  "addq $8, %rsp\n.cfi_remember_state\n.cfi_adjust_cfa_offset -8\n" \
  "popq %r15\n.cfi_adjust_cfa_offset -8\n.cfi_restore r15\n"        \
  "popq %r12\n.cfi_adjust_cfa_offset -8\n.cfi_restore r12\n"        \
  "popq %rbp\n.cfi_adjust_cfa_offset -8\n.cfi_restore rbp\n"        \
  "popq %rbx\n.cfi_adjust_cfa_offset -8\n.cfi_restore rbx\n"
#define HEDDLE_CASE_END(name) ".cfi_restore_state\n.cfi_endproc\n.size " #name ", .-" #name "\n"
#define HEDDLE_CASE(name, code) \
  extern "C" void name();       \
  asm(".text\n" HEDDLE_CASE_BEGIN(name) code HEDDLE_CASE_RETURN "ret\n" HEDDLE_CASE_END(name))

asm(R"(
.text
.globl live_leaf
.type live_leaf,@function
live_leaf:
  .cfi_startproc
  ret
  .cfi_endproc
.size live_leaf, .-live_leaf
)");

namespace heddle::runtime {
namespace {

constexpr unsigned rbx = 1, rbp = 2, r12 = 4, r15 = 32;

template <typename Function>
Calls calls_of(Function* f) {
  return find_calls(reinterpret_cast<std::uint64_t>(f));
}
// After the first call of it. A function that is not understood uses everything.
template <typename Function>
unsigned used_by(Function* f) {
  const Calls calls = calls_of(f);
  return calls.count == 0 ? all_kept : calls.list[0].used;
}

HEDDLE_CASE(live_nothing, "");
TEST(Liveness, giving_registers_back_is_no_use) { EXPECT_EQ(used_by(live_nothing), 0U); }

HEDDLE_CASE(live_read, "movq %rbx, %rax\n addq 8(%r12), %rax\n movq %rax, (%rcx,%r15)\n");
TEST(Liveness, what_is_read_is_used) { EXPECT_EQ(used_by(live_read), rbx | r12 | r15); }

HEDDLE_CASE(live_written,
            "xorl %ebx, %ebx\n movl $1, %ebp\n movq 8(%rsp), %r12\n leaq 8(%rbx,%rbp), %r15\n addq "
            "%r15, %r12\n");
TEST(Liveness, what_is_replaced_before_is_not_used) { EXPECT_EQ(used_by(live_written), 0U); }

HEDDLE_CASE(live_part,
            "movb $1, %bl\n movw $1, %bp\n movb %al, %r12b\n setne %r15b\n movl %ebx, %eax\n");
TEST(Liveness, what_is_replaced_in_part_is_used) {
  EXPECT_EQ(used_by(live_part), rbx | rbp | r12 | r15);
}

HEDDLE_CASE(live_second_byte, "movb %bh, %al\n");
TEST(Liveness, a_second_byte_is_a_part) { EXPECT_EQ(used_by(live_second_byte) & rbx, rbx); }

HEDDLE_CASE(live_compare, "lock cmpxchg16b (%rdi)\n");
TEST(Liveness, what_an_instruction_always_reads_is_used) { EXPECT_EQ(used_by(live_compare), rbx); }

HEDDLE_CASE(live_branch,
            "testq %rax, %rax\n je 1f\n movq %rbx, %rcx\n jmp 2f\n 1: movq %r12, %rcx\n 2:\n");
TEST(Liveness, both_ways_of_a_branch_count) { EXPECT_EQ(used_by(live_branch), rbx | r12); }

HEDDLE_CASE(live_loop,
            "movq $1, %r12\n movq $1, %r15\n 1: movq %r15, %rax\n call live_leaf\n decq %r12\n jne "
            "1b\n movq %rbx, %rax\n");
TEST(Liveness, what_the_next_round_reads_is_used) {
  const Calls calls = calls_of(live_loop);
  ASSERT_EQ(calls.count, 2U);
  EXPECT_EQ(calls.list[0].used, rbx);
  EXPECT_EQ(calls.list[1].used, rbx | r12 | r15);
}

HEDDLE_CASE(live_indirect, "jmpq *%rax\n");
TEST(Liveness, where_a_register_leads_everything_is_used) {
  EXPECT_EQ(used_by(live_indirect), all_kept);
}

HEDDLE_CASE(live_table,
            "leaq live_leaf(%rip), %rcx\n movslq (%rcx,%rax,4), %rax\n addq %rcx, %rax\n movl $0, "
            "%ebx\n jmpq *%rax\n");
TEST(Liveness, where_a_table_leads_everything_is_used) {
  EXPECT_EQ(used_by(live_table), all_kept & ~rbx);
}

HEDDLE_CASE(live_trap, "testq %rax, %rax\n je 1f\n ud2\n 1:\n");
TEST(Liveness, after_a_trap_nothing_is_used) { EXPECT_EQ(used_by(live_trap), 0U); }

HEDDLE_CASE(live_unknown, ".byte 0x0f, 0x04\n");
TEST(Liveness, of_a_function_that_is_not_understood_nothing_is_known) {
  EXPECT_EQ(calls_of(live_unknown).count, 0U);
}

HEDDLE_CASE(live_own_address, "leaq 1f(%rip), %rax\n 1:\n");
TEST(Liveness, who_has_the_address_of_own_code_is_not_understood) {
  EXPECT_EQ(calls_of(live_own_address).count, 0U);
}

HEDDLE_CASE(live_setjmp, "call _setjmp@PLT\n");
HEDDLE_CASE(live_setjmp_by_table, "call *__sigsetjmp@GOTPCREL(%rip)\n");
TEST(Liveness, who_calls_setjmp_is_not_understood) {
  EXPECT_EQ(calls_of(live_setjmp).count, 0U);
  EXPECT_EQ(calls_of(live_setjmp_by_table).count, 0U);
}

// Calls another function by a jump, with registers restored.
extern "C" void live_tail();
asm(".text\n" HEDDLE_CASE_BEGIN(live_tail) HEDDLE_CASE_RETURN
    "jmp live_leaf\n" HEDDLE_CASE_END(live_tail));
TEST(Liveness, what_is_given_back_before_a_tail_call_is_not_used) {
  EXPECT_EQ(used_by(live_tail), all_kept & ~(rbx | rbp | r12 | r15))
      << "the others may be arguments";
}

// The last instruction is a call: what it calls does not return.
extern "C" void live_noreturn();
asm(".text\n" HEDDLE_CASE_BEGIN(
    live_noreturn) "testq %rax, %rax\n je 1f\n" HEDDLE_CASE_RETURN
                   "ret\n"
                   ".cfi_restore_state\n 1: call abort@PLT\n"
                   ".cfi_endproc\n.size live_noreturn, .-live_noreturn\n");
TEST(Liveness, what_does_not_return_may_come_last) {
  const Calls calls = calls_of(live_noreturn);
  ASSERT_EQ(calls.count, 2U);
  EXPECT_EQ(calls.list[0].used, 0U);
  EXPECT_EQ(calls.list[1].used, 0U);
}

// A part elsewhere, which it jumps to while it has a frame, and which jumps back.
extern "C" void live_parts();
asm(".text\n" HEDDLE_CASE_BEGIN(live_parts) "testq %rax, %rax\n jne live_cold\n live_back:\n" HEDDLE_CASE_RETURN "ret\n" HEDDLE_CASE_END(live_parts)
    ".section .text.unlikely,\"ax\",@progbits\n"
    ".type live_cold,@function\nlive_cold:\n"
    ".cfi_startproc\n.cfi_def_cfa_offset 48\n"
    "movq %rbx, %rdi\n call live_leaf\n movq %r12, %rdi\n jmp live_back\n"
    ".cfi_endproc\n.size live_cold, .-live_cold\n.text\n");
extern "C" void live_cold();
TEST(Liveness, parts_elsewhere_belong_to_a_function) {
  const Calls calls = calls_of(live_parts);
  ASSERT_EQ(calls.count, 2U);
  EXPECT_EQ(calls.list[0].used, rbx | r12);
  EXPECT_EQ(calls.list[1].used, r12);
  EXPECT_EQ(calls_of(live_cold).count, 2U) << "from there, too";
}

// With a table for exceptions: those of the second call lead to a landing pad, which reads r12.
extern "C" void live_catching();
asm(".text\n.globl live_catching\n.type live_catching,@function\nlive_catching:\n.cfi_startproc\n"
    ".cfi_personality 0x9b, DW.ref.__gxx_personality_v0\n.cfi_lsda 0x1b, live_table_of_catching\n"
    "pushq %rbx\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset rbx, 0\n"
    "call live_leaf\n"
    "live_begin: call live_leaf\nlive_end:\n"
    "popq %rbx\n.cfi_remember_state\n.cfi_adjust_cfa_offset -8\n.cfi_restore rbx\n "
    "ret\n.cfi_restore_state\n"
    "live_pad: movq %r12, %rdi\n call abort@PLT\n"
    ".cfi_endproc\n.size live_catching, .-live_catching\n"
    ".section .gcc_except_table,\"a\",@progbits\n"
    "live_table_of_catching:\n.byte 0xff\n.byte 0xff\n.byte 1\n"
    ".uleb128 3f-2f\n"
    "2: .uleb128 live_begin-live_catching\n.uleb128 live_end-live_begin\n.uleb128 "
    "live_pad-live_catching\n.uleb128 0\n"
    "3:\n.text\n");
TEST(Liveness, landing_pads_are_ways_of_their_calls) {
  const Calls calls = calls_of(live_catching);
  ASSERT_EQ(calls.count, 3U);
  EXPECT_EQ(calls.list[0].used, r12) << "by way of the second";
  EXPECT_EQ(calls.list[1].used, r12);
  EXPECT_EQ(calls.list[2].used, 0U);
  try {  // so that there is DW.ref.__gxx_personality_v0
    if (calls.count == 0) throw std::logic_error("");
  } catch (const std::logic_error&) {
  }
}

// A function with a frame pointer, rbx saved at -8, and three slots, at -16, -24 and -32.
#define HEDDLE_FRAMED(name, before, after)                                                  \
  extern "C" void name();                                                                   \
  asm(".text\n.globl " #name "\n.type " #name ",@function\n" #name                          \
      ":\n.cfi_startproc\n"                                                                 \
      "pushq %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset rbp, -16\n"                          \
      "movq %rsp, %rbp\n.cfi_def_cfa_register rbp\n"                                        \
      "pushq %rbx\n.cfi_offset rbx, -24\n subq $24, %rsp\n" before "call live_leaf\n" after \
      "movq -8(%rbp), %rbx\n leave\n.cfi_def_cfa rsp, 8\n ret\n"                            \
      ".cfi_endproc\n.size " #name ", .-" #name "\n")

constexpr SlotSet slot(unsigned distance) { return 1ULL << (distance / 8 - 1); }
constexpr SlotSet own_slots = slot(16) | slot(24) | slot(32);
template <typename Function>
SlotSet dead_slots_of(Function* f) {
  const Calls calls = calls_of(f);
  return calls.count == 0 ? 0 : call_site(calls.list[0].return_address).dead_slots & 0xf;
}

HEDDLE_FRAMED(live_slots, "movq %rdi, -16(%rbp)\n movq %rdi, -24(%rbp)\n",
              "movq -24(%rbp), %rax\n");
TEST(Slots, that_are_not_read_are_dead) {
  EXPECT_EQ(dead_slots_of(live_slots), slot(16) | slot(32));
}

HEDDLE_FRAMED(live_slots_replaced, "",
              "movq %rax, -16(%rbp)\n movl %eax, -24(%rbp)\n movq %rax, -28(%rbp)\n"
              "movq -16(%rbp), %rax\n movq -24(%rbp), %rax\n movq -32(%rbp), %rax\n");
TEST(Slots, that_are_replaced_as_a_whole_are_dead) {
  EXPECT_EQ(dead_slots_of(live_slots_replaced), slot(16));
}

HEDDLE_FRAMED(live_slots_wide, "", "movups -32(%rbp), %xmm0\n");
TEST(Slots, that_are_read_in_part_are_used) {
  EXPECT_EQ(dead_slots_of(live_slots_wide), 0U) << "as much as any instruction can read";
}

HEDDLE_FRAMED(live_slots_updated, "", "addl $1, -20(%rbp)\n");
TEST(Slots, that_are_updated_are_used) {
  EXPECT_EQ(dead_slots_of(live_slots_updated) & (slot(24) | slot(32)), slot(32));
}

HEDDLE_FRAMED(live_slots_halves, "",
              "movl %eax, -16(%rbp)\n movl %eax, -12(%rbp)\n movl %eax, -24(%rbp)\n"
              "movw %ax, -32(%rbp)\n movl %eax, -28(%rbp)\n"
              "movq -16(%rbp), %rax\n movl -24(%rbp), %eax\n movl -32(%rbp), %eax\n");
TEST(Slots, that_are_replaced_half_by_half_are_dead) {
  EXPECT_EQ(dead_slots_of(live_slots_halves), slot(16) | slot(24));
}

HEDDLE_FRAMED(live_slots_called, "", "callq *-16(%rbp)\n pushq -24(%rbp)\n popq %rax\n");
HEDDLE_FRAMED(live_slots_called_only, "", "callq *-20(%rbp)\n");
TEST(Slots, that_are_addresses_are_used_as_a_whole) {
  EXPECT_EQ(dead_slots_of(live_slots_called), 0U);
  EXPECT_EQ(dead_slots_of(live_slots_called_only), slot(32));
}

// In the prologue, rax is nothing: to push it makes room.
HEDDLE_FRAMED(live_slots_room, "pushq %rax\n", "");
HEDDLE_FRAMED(live_slots_of_argument, "pushq %rdi\n", "");
HEDDLE_FRAMED(live_slots_of_later_argument, "movq %rdi, %rax\n pushq %rax\n", "");
TEST(Slots, below_room_that_was_made_are_the_functions_own) {
  EXPECT_EQ(dead_slots_of(live_slots_room), own_slots);
  EXPECT_EQ(dead_slots_of(live_slots_of_argument), 0U);
  EXPECT_EQ(dead_slots_of(live_slots_of_later_argument), 0U);
}

// As compilers do it: what was saved is told when all has been, and not that it is restored; and
// the last call is a jump.
#define HEDDLE_COMPILED(name, told)                                           \
  extern "C" void name();                                                     \
  asm(".text\n.globl " #name "\n.type " #name ",@function\n" #name            \
      ":\n.cfi_startproc\n"                                                   \
      "pushq %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset rbp, -16\n"            \
      "movq %rsp, %rbp\n.cfi_def_cfa_register rbp\n"                          \
      "pushq %r15\n pushq %rbx\n subq $16, %rsp\n" told                       \
      "call live_leaf\n addq $16, %rsp\n popq %rbx\n popq %r15\n popq %rbp\n" \
      ".cfi_def_cfa rsp, 8\n jmp live_leaf\n.cfi_endproc\n.size " #name ", .-" #name "\n")
HEDDLE_COMPILED(live_slots_compiled, ".cfi_offset rbx, -32\n.cfi_offset r15, -24\n");
HEDDLE_COMPILED(live_slots_untold, ".cfi_offset rbx, -32\n");
TEST(Slots, of_compiled_functions_are_dead_if_all_that_is_saved_is_told) {
  EXPECT_EQ(dead_slots_of(live_slots_compiled), slot(24) | slot(32));
  EXPECT_EQ(dead_slots_of(live_slots_untold), 0U);
}

HEDDLE_FRAMED(live_slots_shown, "leaq -16(%rbp), %rdi\n", "");
HEDDLE_FRAMED(live_slots_of_stack_pointer, "movq %rsp, %rdi\n", "");
HEDDLE_FRAMED(live_slots_indexed, "", "movq -32(%rbp,%rax,8), %rax\n");
HEDDLE_FRAMED(live_slots_by_stack_pointer, "movq %rax, (%rsp)\n", "");
HEDDLE_FRAMED(live_slots_of_arguments, "pushq %rbx\n", "");
HEDDLE_FRAMED(live_slots_of_constants, "pushq $1\n", "");
TEST(Slots, that_others_may_get_at_are_used) {
  EXPECT_EQ(dead_slots_of(live_slots_shown), 0U);
  EXPECT_EQ(dead_slots_of(live_slots_of_stack_pointer), 0U);
  EXPECT_EQ(dead_slots_of(live_slots_indexed), 0U);
  EXPECT_EQ(dead_slots_of(live_slots_by_stack_pointer), 0U) << "it may be an argument";
  EXPECT_EQ(dead_slots_of(live_slots_of_arguments), 0U);
  EXPECT_EQ(dead_slots_of(live_slots_of_constants), 0U);
}

HEDDLE_FRAMED(live_slots_none, "", "");
TEST(Slots, of_saved_registers_are_none) { EXPECT_EQ(dead_slots_of(live_slots_none), own_slots); }

// What rbp points to is memory of others.
extern "C" void live_slots_of_others();
asm(".text\n.globl live_slots_of_others\n.type live_slots_of_others,@function\n"
    "live_slots_of_others:\n.cfi_startproc\n"
    "pushq %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset rbp, -16\n movq %rdi, %rbp\n"
    "call live_leaf\n movq -16(%rbp), %rax\n popq %rbp\n.cfi_def_cfa_offset 8\n ret\n"
    ".cfi_endproc\n.size live_slots_of_others, .-live_slots_of_others\n");
TEST(Slots, are_relative_to_a_frame_pointer) {
  const Calls calls = calls_of(live_slots_of_others);
  ASSERT_EQ(calls.count, 1U);
  EXPECT_EQ(calls.list[0].used_slots, all_slots);
}

TEST(CallSites, have_the_frame_and_what_is_saved_where) {
  const Calls calls = calls_of(live_read);
  ASSERT_EQ(calls.count, 1U);
  const std::uint64_t address = calls.list[0].return_address;
  const CallSite& site = call_site(address);
  ASSERT_TRUE(site.is_known);
  EXPECT_EQ(site.return_address, address);
  EXPECT_EQ(site.used, rbx | r12 | r15);
  EXPECT_FALSE(site.from_rbp);
  EXPECT_EQ(site.end, 48);
  EXPECT_EQ(site.saved, rbx | rbp | r12 | r15);
  EXPECT_EQ(site.places[0], -16);
  EXPECT_EQ(site.places[1], -24);
  EXPECT_EQ(site.places[2], -32);
  EXPECT_EQ(site.places[5], -40);
  EXPECT_EQ(&call_site(address), &site);
}

// A frame that ends relative to rbp: unwinding reads it, though the function does not.
extern "C" void live_frame();
asm(".text\n.globl live_frame\n.type live_frame,@function\nlive_frame:\n.cfi_startproc\n"
    "pushq %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset rbp, -16\n movq %rsp, "
    "%rbp\n.cfi_def_cfa_register rbp\n"
    "call live_leaf\n popq %rbp\n.cfi_def_cfa rsp, 8\n ret\n.cfi_endproc\n.size live_frame, "
    ".-live_frame\n");
TEST(CallSites, use_rbp_where_the_frame_ends_relative_to_it) {
  const Calls calls = calls_of(live_frame);
  ASSERT_EQ(calls.count, 1U);
  EXPECT_EQ(calls.list[0].used, 0U);
  const CallSite& site = call_site(calls.list[0].return_address);
  EXPECT_TRUE(site.is_known && site.from_rbp);
  EXPECT_EQ(site.end, 16);
  EXPECT_EQ(site.used, rbp);
}

// Behind the call, which does not return, is another way, without a frame.
extern "C" void live_frame_of_call();
asm(".text\n.globl live_frame_of_call\n.type "
    "live_frame_of_call,@function\nlive_frame_of_call:\n.cfi_startproc\n"
    "testq %rax, %rax\n je 1f\n subq $8, %rsp\n.cfi_def_cfa_offset 16\n call abort@PLT\n"
    ".cfi_def_cfa_offset 8\n 1: ret\n.cfi_endproc\n.size live_frame_of_call, "
    ".-live_frame_of_call\n");
TEST(CallSites, have_the_frame_of_the_call) {
  const Calls calls = calls_of(live_frame_of_call);
  ASSERT_EQ(calls.count, 1U);
  EXPECT_EQ(call_site(calls.list[0].return_address).end, 16);
}

TEST(CallSites, use_everything_in_functions_that_are_not_understood) {
  const auto address = reinterpret_cast<std::uint64_t>(&live_unknown) + 16;
  EXPECT_EQ(call_site(address).used, all_kept);
}

TEST(CallSites, are_not_known_where_there_is_no_code) {
  EXPECT_FALSE(call_site(0).is_known);
  EXPECT_FALSE(call_site(12345).is_known);
}

}  // namespace
}  // namespace heddle::runtime
