// The operands of opcodes of x86-64.
#pragma once

#include <cstdint>

namespace heddle::runtime {

// What becomes of an operand that is a general register: it is read, also if only a part of it is
// replaced; or replaced as a whole. (Of 8 and 16 bits, none is.)
enum class Role : std::uint8_t { none, read, write };
// Sizes of constants: z is 4, or 2 with the prefix 66; v is 8 with REX.W, else as z.
enum class Constant : std::uint8_t { none, one, z, v, address };

// Whether a ModRM byte follows, what its two fields are if they are general registers, and the
// constant at the end.
struct Form {
  bool modrm = false;
  Role reg = Role::none, rm = Role::none;
  Constant constant = Constant::none;
  bool byte = false;  // registers that are read have 8 bits
};

// By how an opcode begins. `vex`: with that prefix, as the others from `second` on.
enum class OpcodeMap : std::uint8_t { first, second, third, fourth, vex_second, vex_third };

// False: it is not known, or need not be.
bool find_form(OpcodeMap map, unsigned opcode, Form& out);

}  // namespace heddle::runtime
