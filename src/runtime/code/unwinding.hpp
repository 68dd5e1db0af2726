// What the tables for unwinding say of a function: where it is, where its frame ends, and where it
// has saved the registers that calls preserve.
#pragma once

#include <cstdint>

namespace heddle::runtime {

// The registers that calls preserve, in the order of Fiber::entered_register.
inline constexpr unsigned kept_registers = 6;
// Their numbers in instructions (rbx, rbp, r12 to r15).
inline constexpr std::uint8_t kept_numbers[kept_registers] = {3, 5, 12, 13, 14, 15};
inline constexpr unsigned kept_rbp = 1;

// A function, or one of the parts into which a compiler has divided it.
struct FunctionPart {
  std::uint64_t begin = 0, end = 0;
  const std::uint8_t* landing_pads = nullptr;  // its table; null: none
  // How its rules are told.
  const std::uint8_t *common_rules = nullptr, *common_end = nullptr;
  const std::uint8_t *rules = nullptr, *rules_end = nullptr;
  std::uint64_t code_unit = 0;
  std::int64_t data_unit = 0;
  unsigned pointer_encoding = 0;

  bool has(std::uint64_t address) const { return begin <= address && address < end; }
};

// The one that has this address; false if there are no tables for it, or they have something that
// need not be known.
bool find_function_part(std::uint64_t address, FunctionPart& out);

// The frame of a function while it is at some instruction.
struct FrameRule {
  bool from_rbp;                       // where it ends: relative to rbp, else to the stack pointer
  std::int64_t end;                    // behind the return address
  std::uint8_t saved;                  // bits: which registers are not as the caller had them
  std::int64_t place[kept_registers];  // where the caller's are, relative to the end

  // The stack is the caller's, except for the return address. (And so are the registers, whatever
  // is told of them: what was saved would be below the stack.)
  bool is_empty() const { return !from_rbp && end == 8; }
};

// At the instruction that has this address. False: it is told by an expression, or not at all.
bool find_frame_rule(const FunctionPart& part, std::uint64_t address, FrameRule& out);

// The addresses to which an exception in [begin, end) of the part can lead: calls visit(begin, end,
// address) for each range. False: the table is of a kind that is not known.
template <typename Visit>
bool for_landing_pads(const FunctionPart& part, Visit visit);

}  // namespace heddle::runtime

#include "runtime/code/byte_reader.hpp"

namespace heddle::runtime {

template <typename Visit>
bool for_landing_pads(const FunctionPart& part, Visit visit) {
  if (part.landing_pads == nullptr) return true;
  ByteReader in(part.landing_pads);
  std::uint64_t base = part.begin;
  const unsigned base_encoding = in.take<std::uint8_t>();
  if (base_encoding != ByteReader::omitted && !in.take_encoded(base_encoding, base)) return false;
  if (in.take<std::uint8_t>() != ByteReader::omitted) in.take_unsigned();
  const unsigned encoding = in.take<std::uint8_t>();
  if ((encoding & 0xf0) != 0) return false;
  const std::uint64_t size = in.take_unsigned();
  for (const std::uint8_t* const end = in.at() + size; in.at() < end;) {
    std::uint64_t begin = 0, length = 0, pad = 0;
    if (!in.take_encoded(encoding, begin) || !in.take_encoded(encoding, length) ||
        !in.take_encoded(encoding, pad))
      return false;
    in.take_unsigned();
    if (pad != 0) visit(part.begin + begin, part.begin + begin + length, base + pad);
  }
  return true;
}

}  // namespace heddle::runtime
