#include "runtime/kernel/fiber.hpp"

#include <asm/prctl.h>
#include <dlfcn.h>
#include <immintrin.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "runtime/abi/layout.h"
#include "runtime/kernel/thread_storage.hpp"
#include "runtime/sys/fs_base.hpp"
#include "runtime/sys/process.hpp"

// void heddle_switch(void** save, void* to): saves the registers that a call preserves and the
// stack pointer, and continues where `to` was saved. It ends in a jump, as a return to another
// stack is always mispredicted. heddle_begin calls r13 with r12, on a fresh stack.
asm(R"(
.text
.globl heddle_switch
.hidden heddle_switch
.type heddle_switch,@function
heddle_switch:
  .cfi_startproc
  pushq %rbp
  .cfi_adjust_cfa_offset 8
  pushq %rbx
  .cfi_adjust_cfa_offset 8
  pushq %r12
  .cfi_adjust_cfa_offset 8
  pushq %r13
  .cfi_adjust_cfa_offset 8
  pushq %r14
  .cfi_adjust_cfa_offset 8
  pushq %r15
  .cfi_adjust_cfa_offset 8
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  .cfi_adjust_cfa_offset -48
  popq %rcx
  .cfi_adjust_cfa_offset -8
  .cfi_register rip, rcx
  jmp *%rcx
  .cfi_endproc
.size heddle_switch, .-heddle_switch

.globl heddle_begin
.hidden heddle_begin
.type heddle_begin,@function
  .cfi_startproc
  .cfi_undefined rip
  .cfi_undefined rbp
  nop
heddle_begin:
  xorl %ebp, %ebp
  movq %r12, %rdi
  call *%r13
  ud2
  .cfi_endproc
.size heddle_begin, .-heddle_begin
)");
extern "C" void heddle_switch(void** save, void* to);
extern "C" void heddle_begin();

namespace heddle::runtime {

// (Made by a constructor: as constants, all of them would be in the file of the library, for one
// number each that is not zero, Op::alternatives. Nothing uses them before.)
detail::Fibers detail::fibers;

namespace {

using abi::stack_size;
using abi::stacks_begin;
using detail::fibers;

constexpr std::uint64_t guard_size = 4096;  // a page
// The part of glibc's struct pthread, which begins at the FS base, that is copied for each thread:
// what the C library looks at in a thread. The structure is larger in newer versions (0x940 bytes
// in 2.36): from 2.35 on, restartable sequences come last, which must not be copied, as the system
// has the address of the first thread's.
constexpr std::size_t thread_header = 0x900;

static_assert(stack_size % guard_size == 0 && stacks_begin % guard_size == 0);

std::uint64_t top_of_stack(unsigned id) { return stacks_begin + (id + 1) * stack_size; }

void set_fs_base(std::uint64_t value) {
  if (!fibers.sets_fs_base) [[unlikely]] {
    system_call(SYS_arch_prctl, ARCH_SET_FS, static_cast<long>(value));
    return;
  }
  asm volatile("wrfsbase %0" ::"r"(value));
}

std::uint16_t x87_control() {
  std::uint16_t value;
  asm volatile("fnstcw %0" : "=m"(value));
  return value;
}

// Thread-local storage: what the dynamic loader allocates for a thread, with a copy of the header
// of the first thread that points to itself.
std::uint64_t make_thread_storage() {
  using Allocate = void* (*)(void*);
  static const auto allocate = reinterpret_cast<Allocate>(dlsym(RTLD_DEFAULT, "_dl_allocate_tls"));
  if (allocate == nullptr) refuse("this C library has no _dl_allocate_tls");
  static const auto* size =
      static_cast<const std::uint32_t*>(dlsym(RTLD_DEFAULT, "_thread_db_sizeof_pthread"));
  if (size != nullptr && *size < thread_header)
    refuse("this C library has less in a thread than heddle copies");
  auto* words = static_cast<std::uint64_t*>(allocate(nullptr));
  const std::uint64_t dtv = words[1];
  std::memcpy(words, reinterpret_cast<void*>(fibers.base.fs_base), thread_header);
  words[0] = words[2] = reinterpret_cast<std::uint64_t>(words);
  words[1] = dtv;
  return words[0];
}

}  // namespace

Fiber& base_fiber() { return fibers.base; }

void set_up_fibers() {
  constexpr unsigned long fsgsbase = 2;  // of AT_HWCAP2
  fibers.sets_fs_base = (getauxval(AT_HWCAP2) & fsgsbase) != 0;
  fibers.base.fs_base = fs_base();
  const bool late = find_late_storage();
  void* const at = reinterpret_cast<void*>(stacks_begin);
  map_at(at, stack_size * abi::max_threads);
  for (unsigned k = 0; k < abi::max_threads; ++k) {
    needed_call("mprotect", SYS_mprotect, static_cast<long>(stacks_begin + k * stack_size),
                guard_size, PROT_NONE);
    fiber(k).id = k;
    fibers.compared_from[k] = fibers.used_from[k] = reinterpret_cast<char*>(top_of_stack(k));
    fiber(k).fs_base = make_thread_storage();
    if (!late) continue;
    set_fs_base(fiber(k).fs_base);
    allocate_late_storage();
    set_fs_base(fibers.base.fs_base);
  }
}

// Somewhat more than needed, so that this happens once in most programs.
bool detail::lower_compared(unsigned id, const void* address) {
  if (!is_on_stack(id, address)) return false;
  constexpr std::uint64_t more = 1024;
  const std::uint64_t lowest = top_of_stack(id) - stack_size + guard_size;
  const auto at = reinterpret_cast<std::uint64_t>(address);
  fibers.compared_from[id] = reinterpret_cast<char*>(at - lowest > more ? at - more : lowest);
  // Where stacks are cleared anyway, what is there is the same in each run: so the first run that
  // comes here must not differ from others.
  return !fibers.clears_stacks;
}

namespace {

bool is_zero(const char* memory, std::uint64_t size) {
  return memory[0] == 0 && std::memcmp(memory, memory + 1, size - 1) == 0;
}

// How far below `in_use` the stack has been used: whole parts of it that are zero were not.
char* find_used(unsigned id, char* in_use) {
  constexpr std::uint64_t part = 1024;
  char*& from = fibers.used_from[id];
  const char* const lowest = stack_of(id).begin;
  if (in_use < from)
    from = reinterpret_cast<char*>(reinterpret_cast<std::uint64_t>(in_use) / part * part);
  while (from - part >= lowest && !is_zero(from - part, part)) from -= part;
  return from;
}

}  // namespace

void set_clearing_stacks(bool on) { fibers.clears_stacks = on; }

[[gnu::noinline]] void* stack_to_clear(unsigned id) {
  if (!fibers.clears_stacks) return nullptr;
  return find_used(id, static_cast<char*>(__builtin_frame_address(0)));
}

void clear_stack(const Fiber& f) {
  char* const in_use = fibers.compared_from[f.id];
  char* const compared = fibers.clears_stacks ? std::min(in_use, find_used(f.id, in_use)) : in_use;
  std::memset(compared, 0, top_of_stack(f.id) - reinterpret_cast<std::uint64_t>(compared));
}

void prepare_stack(Fiber& f, void (*entry)(Fiber*)) {
  auto* top = reinterpret_cast<std::uint64_t*>(top_of_stack(f.id)) - 2;
  top[0] = top[1] = 0;
  *--top = reinterpret_cast<std::uint64_t>(heddle_begin);
  *--top = 0;                                       // rbp
  *--top = 0;                                       // rbx
  *--top = reinterpret_cast<std::uint64_t>(&f);     // r12
  *--top = reinterpret_cast<std::uint64_t>(entry);  // r13
  *--top = 0;
  *--top = 0;
  f.stack_pointer = top;
  f.cleanup = nullptr;
  f.sse_control = _mm_getcsr();
  f.x87_control = x87_control();
  f.touched = {};
  mark_thread_storage(thread_storage_of(f.fs_base), true);
}

void prepare_fiber(Fiber& f, void (*entry)(Fiber*)) {
  clear_stack(f);
  prepare_stack(f, entry);
  fill_thread_storage(f.fs_base, f.id == 0);
}

void save_fiber(Fiber& f, bool can_continue, Savepoint& into) {
  into.keep(&f, offsetof(Fiber, effects) + f.effects.bytes_before_lists());
  f.effects.save_lists(into);
  if (!f.rounds.empty()) into.keep(f.rounds);
  if (f.round.open) into.keep(f.round);
  if (!f.idle.empty()) into.keep(f.idle);
  if (!f.polling.empty()) into.keep(f.polling);
  save_thread_storage(f.fs_base, into);
  save_thread_marks(thread_storage_of(f.fs_base), into);
  if (!can_continue) return;
  void* const from = std::min<void*>(f.stack_pointer, fibers.compared_from[f.id]);
  into.keep(from, top_of_stack(f.id) - reinterpret_cast<std::uint64_t>(from));
}

void clear_fiber(Fiber& f) {
  f.status = Fiber::Status::absent;
  f.taken = 0;
  f.effects.clear();
  f.rounds.loops = 0;
  f.round.open = false;
  if (!f.idle.empty()) f.idle = {};
  if (!f.polling.empty()) f.polling = {};
  clear_thread_marks(thread_storage_of(f.fs_base));
}

void switch_fibers(Fiber& from, Fiber& to) {
  ++fibers.switches;
  from.sse_control = _mm_getcsr();
  from.x87_control = x87_control();
  if (from.sse_control != to.sse_control) [[unlikely]]
    _mm_setcsr(to.sse_control);
  if (from.x87_control != to.x87_control) [[unlikely]] {
    asm volatile("fldcw %0" ::"m"(to.x87_control));
  }
  set_fs_base(to.fs_base);
  heddle_switch(&from.stack_pointer, to.stack_pointer);
}

Range stack_of(unsigned id) {
  auto* end = reinterpret_cast<char*>(top_of_stack(id));
  return {end - stack_size + guard_size, end};
}

bool is_stack_overflow(const void* address) {
  const std::uint64_t offset = reinterpret_cast<std::uint64_t>(address) - stacks_begin;
  return offset < stack_size * abi::max_threads && offset % stack_size < guard_size;
}

}  // namespace heddle::runtime
