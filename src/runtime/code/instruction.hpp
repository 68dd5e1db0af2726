// Instructions of x86-64, as far as it matters which registers they use and where they lead.
#pragma once

#include <cstdint>

namespace heddle::runtime {

struct Instruction {
  enum class Kind : std::uint8_t {
    plain,
    call,
    jump,           // always, to `target`
    branch,         // to `target`, or not
    indirect_jump,  // to where a register or memory says
    ret,
    trap,  // it does not continue
  };
  // How it uses the stack pointer, and rbp, which may be the frame pointer. (Calls, returns and
  // pops are not told: nor are additions to the stack pointer, and what moves it into rbp or back.)
  enum class Frame : std::uint8_t {
    none,
    push,      // of a register
    loads,     // memory at rbp + offset is read, perhaps
    stores,    // it is written, and not read
    replaces,  // this many bytes are written, four or eight, at a multiple of four
    other,     // in another way: the address of the frame may become known
  };
  std::uint8_t length;
  Kind kind;
  Frame frame;
  std::uint8_t size;  // of the memory at rbp + offset, at most
  std::int32_t offset;
  // By the number of the register, as bits; without those that an instruction always uses (rax, rcx
  // and so on), except rbx and rbp. What may be read, or may keep a part of its value, is read;
  // what is written is replaced as a whole.
  std::uint16_t reads, writes;
  std::uint64_t target;     // of a jump, a branch, or a call; 0: not known
  std::uint64_t memory;     // at an address relative to the instruction; 0: none
  std::uint64_t immediate;  // a constant of at least 4 bytes; 0: none
};

// The one at `code`, which says where it is when it runs. REQUIRES: 16 bytes can be read there.
// False: it is not known, or need not be.
bool decode(const std::uint8_t* code, std::uint64_t address, Instruction& out);

}  // namespace heddle::runtime
