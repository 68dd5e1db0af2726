// Lengths have to be right for all instructions; what they read has to be at least what they do;
// what they write, at most. So all register operands are read, and only the most common
// instructions write.
#include "runtime/code/instruction.hpp"

#include <cstring>

#include "runtime/code/opcodes.hpp"

namespace heddle::runtime {
namespace {

using Kind = Instruction::Kind;
using Frame = Instruction::Frame;

constexpr unsigned rbx = 3, rsp = 4, rbp = 5;
constexpr unsigned of_stack = 1U << rsp | 1U << rbp;

constexpr bool in(unsigned op, unsigned first, unsigned last) { return first <= op && op <= last; }

class Reader {
 public:
  Reader(const std::uint8_t* code, std::uint64_t address, Instruction& out)
      : code_(code), at_(code), address_(address), out_(out) {
    out = {};
  }

  bool read() {
    if (!read_prefixes()) return false;
    const unsigned op = *at_++;
    bool known = false;
    if (op == 0x0f)
      known = read_second();
    else if (op == 0xc4 || op == 0xc5)
      known = read_vex(op);
    else
      known = read_first(op);
    if (!known || at_ - code_ > 15) return false;
    out_.length = static_cast<std::uint8_t>(at_ - code_);
    const std::uint64_t end = address_ + out_.length;
    if (relative_memory_) out_.memory = end + displacement_;
    if (relative_target_) out_.target = end + distance_;
    tell_frame();
    return true;
  }

 private:
  bool read_prefixes() {
    for (;; ++at_) {
      if (at_ - code_ == 12) return false;
      const std::uint8_t b = *at_;
      if (b == 0x66)
        has_66_ = true;
      else if (b == 0xf2 || b == 0xf3)
        repeats_ = b;
      else if (b == 0x67)
        has_67_ = true;
      else if (b != 0xf0 && b != 0x2e && b != 0x36 && b != 0x3e && b != 0x26 && b != 0x64 &&
               b != 0x65)
        break;
    }
    if ((*at_ & 0xf0) == 0x40) rex_ = *at_++;
    return true;
  }
  bool is_wide() const { return (rex_ & 8) != 0; }
  bool is_short() const { return has_66_ && !is_wide(); }

  void reads(unsigned n) { out_.reads = static_cast<std::uint16_t>(out_.reads | 1U << n); }
  // The whole of it, if it has at least 32 bits.
  void writes(unsigned n) {
    if (is_short()) return reads(n);
    out_.writes = static_cast<std::uint16_t>(out_.writes | 1U << n);
  }
  void uses(unsigned n, Role role, bool byte) {
    const bool is_second_byte = role == Role::read && byte && rex_ == 0 && in(n, 4, 7);
    if (role != Role::none) operands_ |= 1U << (is_second_byte ? n - 4 : n);
    if (role == Role::write) writes(n);
    if (role == Role::read) reads(n);
    // Without a REX prefix, these are the second bytes of the first four.
    if (is_second_byte) reads(n - 4);
  }

  template <typename Number>
  Number take() {
    Number n;
    std::memcpy(&n, at_, sizeof n);
    at_ += sizeof n;
    return n;
  }
  void take_constant(Constant c) {
    switch (c) {
      case Constant::none:
        return;
      case Constant::one:
        at_ += 1;
        return;
      case Constant::address:
        at_ += has_67_ ? 4 : 8;
        return;
      case Constant::v:
        if (is_wide()) {
          out_.immediate = take<std::uint64_t>();
          return;
        }
        [[fallthrough]];
      case Constant::z:
        if (is_short())
          at_ += 2;
        else
          out_.immediate = static_cast<std::uint64_t>(std::int64_t{take<std::int32_t>()});
        return;
    }
  }
  bool take_target(Kind kind, bool near) {
    // Processors differ. (Calls for thread-local storage are filled up with prefixes.)
    if (has_66_ && !near && !(kind == Kind::call && is_wide())) return false;
    out_.kind = kind;
    distance_ = static_cast<std::uint64_t>(near ? std::int64_t{take<std::int8_t>()}
                                                : std::int64_t{take<std::int32_t>()});
    relative_target_ = true;
    return true;
  }

  // What the operands are; registers of memory operands are read in any case.
  void take_modrm() {
    const unsigned b = *at_++;
    mod_ = b >> 6;
    field_ = b >> 3 & 7;
    reg_ = field_ | (rex_ & 4U) << 1;
    rm_ = (b & 7) | (rex_ & 1U) << 3;
    if (mod_ == 3) return;
    bool has_displacement = mod_ == 2;
    if ((b & 7) == 4) {
      const unsigned sib = *at_++;
      const unsigned index = (sib >> 3 & 7) | (rex_ & 2U) << 2;
      if (index != 4) reads_address(index);
      if ((sib & 7) == 5 && mod_ == 0)
        has_displacement = true;
      else
        reads_address((sib & 7) | (rex_ & 1U) << 3);
    } else if ((b & 7) == 5 && mod_ == 0) {
      has_displacement = relative_memory_ = true;
    } else {
      is_at_rbp_ = rm_ == rbp;
      reads_address(rm_);
    }
    if (has_displacement)
      displacement_ = static_cast<std::uint64_t>(std::int64_t{take<std::int32_t>()});
    else if (mod_ == 1)
      displacement_ = static_cast<std::uint64_t>(std::int64_t{take<std::int8_t>()});
  }
  void reads_address(unsigned n) {
    addresses_ |= 1U << n;
    reads(n);
  }
  bool is_register() const { return mod_ == 3; }

  void read_form(const Form& form) {
    if (form.modrm) {
      take_modrm();
      is_general_ = form.reg != Role::none || form.rm != Role::none;
      uses(reg_, form.reg, form.byte);
      if (is_register()) uses(rm_, form.rm, form.byte);
    }
    take_constant(form.constant);
  }

  bool read_first(unsigned op) {
    const unsigned low = (op & 7) | (rex_ & 1U) << 3;
    if (in(op, 0x50, 0x57)) out_.frame = low == rsp ? Frame::other : Frame::push;
    if (in(op, 0x50, 0x57)) return reads(low), true;
    if (in(op, 0x58, 0x5f)) {
      if (low == rsp) out_.frame = Frame::other;
      return writes(low), true;
    }
    if (in(op, 0x90, 0x97)) return uses(low, Role::read, false), true;
    if (in(op, 0x70, 0x7f) || in(op, 0xe0, 0xe3)) return take_target(Kind::branch, true);
    if (in(op, 0xb0, 0xb7)) return uses(low, Role::read, true), ++at_, true;
    if (in(op, 0xb8, 0xbf)) return uses(low, Role::write, false), take_constant(Constant::v), true;
    switch (op) {
      case 0xc2:
        out_.kind = Kind::ret;
        return at_ += 2, true;
      case 0xc3:
        out_.kind = Kind::ret;
        return true;
      case 0xe8:
        return take_target(Kind::call, false);
      case 0xe9:
        return take_target(Kind::jump, false);
      case 0xeb:
        return take_target(Kind::jump, true);
      case 0xf4:
        out_.kind = Kind::trap;
        return true;
      case 0xc9:
        reads(rbp);
        return true;
      default:
        break;
    }
    Form form;
    if (!find_form(OpcodeMap::first, op, form)) return false;
    read_form(form);
    is_of_first_map_ = true;
    stores_ = op == 0x88 || op == 0x89 || op == 0xc6 || op == 0xc7;
    replaces_ = !is_short() && (op == 0x89 || op == 0xc7);
    // Of these, addresses are operands.
    is_narrow_ = !is_wide() && op != 0x8f && op != 0xff;
    moves_frame_ = is_wide() && is_moving_frame(op);
    is_unusual_ = op == 0x8d || in(op, 0xd8, 0xdf);
    pushes_ = op == 0x68 || op == 0x6a || op == 0x9c || op == 0x9d || (op == 0xff && field_ == 6);
    return finish_first(op);
  }

  // Opcodes that depend on the ModRM byte.
  bool finish_first(unsigned op) {
    switch (op) {
      case 0x29:
      case 0x2b:
      case 0x31:
      case 0x33:  // a register minus itself
        if (is_register() && reg_ == rm_ && !is_short()) {
          out_.reads = 0;
          writes(reg_);
        }
        return true;
      case 0x8d:
        return !is_register();
      case 0xc6:
      case 0xc7:
        return field_ == 0;
      case 0xf6:
        if (field_ < 2) take_constant(Constant::one);
        return true;
      case 0xf7:
        if (field_ < 2) take_constant(Constant::z);
        return true;
      case 0xfe:
        return field_ < 2;
      case 0xff:
        if (field_ == 2) out_.kind = Kind::call;
        if (field_ == 4) out_.kind = Kind::indirect_jump;
        return field_ != 3 && field_ != 5 && field_ != 7;
      default:
        return true;
    }
  }

  bool read_second() {
    unsigned op = *at_++;
    if (op == 0x0b) return out_.kind = Kind::trap, true;
    if (op == 0xb9) return out_.kind = Kind::trap, take_modrm(), true;
    if (in(op, 0x80, 0x8f)) return take_target(Kind::branch, false);
    if (in(op, 0xc8, 0xcf)) return uses((op & 7) | (rex_ & 1U) << 3, Role::read, false), true;
    Form form;
    OpcodeMap map = OpcodeMap::second;
    if (op == 0x38 || op == 0x3a) {
      map = op == 0x38 ? OpcodeMap::third : OpcodeMap::fourth;
      op = *at_++;
    }
    if (!find_form(map, op, form)) return false;
    read_form(form);
    if (map != OpcodeMap::second) return true;
    stores_ = is_storing_vector(op) || in(op, 0x90, 0x9f);
    is_unusual_ = op == 0xae || op == 0xc7;
    if (op == 0xb8) return repeats_ == 0xf3;
    if (op == 0xc7 && field_ == 1) reads(rbx);  // to be stored, if the comparison succeeds
    return true;
  }

  // REX bits are inverted in it. Its third register is a general one in a few of the third map.
  bool read_vex(unsigned op) {
    if (rex_ != 0 || has_66_ || repeats_ != 0) return false;
    unsigned map = 1;
    std::uint8_t last = *at_++;
    rex_ = static_cast<std::uint8_t>(0x40 | (~last >> 5 & 4));
    if (op == 0xc4) {
      map = last & 31;
      rex_ = static_cast<std::uint8_t>(rex_ | (~last >> 5 & 3));
      last = *at_++;
      rex_ = static_cast<std::uint8_t>(rex_ | (last >> 4 & 8));
    }
    const unsigned third = ~(last >> 3) & 15U;
    const unsigned opcode = *at_++;
    Form form;
    const OpcodeMap maps[] = {OpcodeMap::vex_second, OpcodeMap::vex_third, OpcodeMap::fourth};
    if (!in(map, 1, 3) || !find_form(maps[map - 1], opcode, form)) return false;
    if (map == 2 && form.reg != Role::none) uses(third, Role::read, false);
    read_form(form);
    return true;
  }

  // From one of the two registers to the other, or a constant to the stack pointer.
  bool is_moving_frame(unsigned op) const {
    if (op == 0x8d) return reg_ == rsp && is_at_rbp_;
    if (!is_register()) return false;
    if (op == 0x89) return reg_ == rsp && rm_ == rbp;
    if (op == 0x8b) return reg_ == rbp && rm_ == rsp;
    return (op == 0x81 || op == 0x83) && rm_ == rsp && (field_ == 0 || field_ == 5);
  }
  static bool is_storing_vector(unsigned op) {
    return op == 0x11 || op == 0x13 || op == 0x17 || op == 0x29 || op == 0x2b || op == 0x7f ||
           op == 0xd6;
  }

  void tell_frame() {
    if (out_.frame != Frame::none || moves_frame_) return;
    const bool at_frame = (addresses_ & of_stack) != 0;
    if ((operands_ & of_stack) != 0 || (at_frame && (!is_at_rbp_ || is_unusual_)) || pushes_) {
      out_.frame = Frame::other;
    } else if (at_frame) {
      constexpr unsigned largest = 64;
      out_.offset = static_cast<std::int32_t>(displacement_);
      out_.size = static_cast<std::uint8_t>(!is_general_        ? largest
                                            : !is_of_first_map_ ? 16
                                            : is_narrow_        ? 4
                                                                : 8);
      out_.frame = replaces_ && out_.offset % 4 == 0 ? Frame::replaces
                   : stores_                         ? Frame::stores
                                                     : Frame::loads;
    }
  }

  const std::uint8_t* const code_;
  const std::uint8_t* at_;
  const std::uint64_t address_;
  Instruction& out_;
  bool has_66_ = false, has_67_ = false;
  std::uint8_t repeats_ = 0, rex_ = 0;
  unsigned mod_ = 0, field_ = 0, reg_ = 0, rm_ = 0;
  bool relative_memory_ = false, relative_target_ = false;
  std::uint64_t displacement_ = 0, distance_ = 0;
  unsigned operands_ = 0, addresses_ = 0;  // registers
  bool is_narrow_ = false;                 // an operand of four bytes or less
  bool is_at_rbp_ = false;                 // the memory operand, and at a constant distance
  bool stores_ = false, replaces_ = false, moves_frame_ = false;
  bool pushes_ = false;      // something else than a register
  bool is_unusual_ = false;  // its memory operand is large, or not used as memory
  bool is_of_first_map_ = false;
  bool is_general_ = false;  // it has general registers as operands
};

}  // namespace

bool decode(const std::uint8_t* code, std::uint64_t address, Instruction& out) {
  return Reader(code, address, out).read();
}

}  // namespace heddle::runtime
