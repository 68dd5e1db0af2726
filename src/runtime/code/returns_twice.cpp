#include "runtime/code/returns_twice.hpp"

#include <setjmp.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstring>

namespace heddle::runtime {
namespace {

std::uint64_t word_at(std::uint64_t address) {
  std::uint64_t out = 0;
  std::memcpy(&out, reinterpret_cast<const void*>(address), sizeof out);
  return out;
}

// Where a call of this address leads: a stub for a function of another library jumps to where
// memory says. (Byte by byte: code may end here.)
std::uint64_t follow(std::uint64_t address) {
  const auto* code = reinterpret_cast<const std::uint8_t*>(address);
  if (code[0] == 0xf3 && code[1] == 0x0f && code[2] == 0x1e && code[3] == 0xfa) code += 4;
  if (code[0] == 0xf2) ++code;
  if (code[0] != 0xff || code[1] != 0x25) return address;
  std::int32_t distance = 0;
  std::memcpy(&distance, code + 2, sizeof distance);
  return word_at(reinterpret_cast<std::uint64_t>(code + 6 + distance));
}

template <typename Function>
bool is(std::uint64_t address, Function* function) {
  return address == follow(reinterpret_cast<std::uint64_t>(function));
}

}  // namespace

bool may_return_twice(const Instruction& call) {
  std::uint64_t to = 0;
  if (call.target != 0)
    to = follow(call.target);
  else if (call.memory != 0)
    to = word_at(call.memory);
  return to != 0 && (is(to, &_setjmp) || is(to, &(setjmp)) || is(to, &__sigsetjmp) ||
                     is(to, &getcontext) || is(to, &vfork));
}

}  // namespace heddle::runtime
