// Which of the registers that calls preserve a function may yet read, at each of its calls, from
// its machine code.
//
// A register is *used* after a call if on some way from there an instruction of the function may
// read it before one replaces it. To give it back to the caller is no use: what was saved of the
// caller's registers is told by the tables for unwinding (FrameRule). Ways lead to where jumps and
// branches go, to what follows a call, and to the landing pads of calls. Where a way cannot be
// seen, all registers are used: jumps to where a register says, jumps to other functions (which may
// take arguments in any register), instructions that are not known, functions that call setjmp or
// take the address of their own code.
//
// The same for slots of its frame. They count as used unless it can be seen that only the function
// itself gets at them: rbp is its frame pointer, it uses frame and stack pointer for nothing but
// reading and writing at constant distances from rbp, and pushes nothing but registers that it
// saves (or, to make room, rax). So there are no arguments for others on the stack, and no pointers
// to it.
#pragma once

#include <cstdint>

#include "runtime/code/unwinding.hpp"

namespace heddle::runtime {

// By bits, in the order of kept_numbers.
using KeptSet = std::uint8_t;
inline constexpr KeptSet all_kept = (1U << kept_registers) - 1;

// By bits: the eight bytes right below where rbp points, those below that, and so on.
using SlotSet = std::uint64_t;
inline constexpr unsigned slots = 56;
inline constexpr SlotSet all_slots = (1ULL << slots) - 1;

struct Call {
  std::uint64_t return_address;
  KeptSet used;
  SlotSet used_slots;
};

// The calls of the function that has this address, with all parts that it jumps to. The list is
// valid until the next call. Empty: they are not known.
struct Calls {
  const Call* list;
  std::uint32_t count;
};
Calls find_calls(std::uint64_t address);

}  // namespace heddle::runtime
