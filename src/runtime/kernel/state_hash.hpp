// The digest of a state: a sum of 128 bits over its parts, each hashed with its name or address. So
// the order in which parts are visited does not matter, and one can be exchanged for another.
//
// 128 bits: of as many states as fit into memory, no two that differ have the same digest by
// chance. (Of 10^9 states, with a probability of 10^-21.)
#pragma once

#include <cstdint>
#include <type_traits>

#include "runtime/abi/wire.h"

namespace heddle::runtime {

class StateHash {
 public:
  // What a part is that has no memory of its own, or is not hashed as it is in memory.
  enum class Of : std::uint64_t {
    memory,
    thread,
    pending,
    registers,
    stack,
    effects,
    start,
    rounds,
    read,
    failure,
    polling,
    change,
    hold,
    block,
    freed,
    arena,
    key,
    key_value,
    condition,
    waiter,
    token,
    incarnation,
    mailbox,
    time,
    exit,
    outcome,
  };

  // Memory, at its address.
  void add(const void* memory, std::uint64_t size);
  template <typename T>
  void add(const T& variable) {
    add(&variable, sizeof variable);
  }
  // Numbers.
  template <typename... Number>
  void add_words(Of what, Number... numbers) {
    const std::uint64_t words[] = {static_cast<std::uint64_t>(what), word(numbers)...};
    add_hashed(words, sizeof words, 0, 0);
  }

  // Never all zeros.
  abi::WireDigest sum() const { return {first_ == 0 ? 1 : first_, second_}; }

 private:
  template <typename T>
  static std::uint64_t word(T number) {
    if constexpr (std::is_pointer_v<T>)
      return reinterpret_cast<std::uint64_t>(number);
    else
      return static_cast<std::uint64_t>(number);
  }
  void add_hashed(const void* memory, std::uint64_t size, std::uint64_t name, std::uint64_t kind);
  static void tell(const void* memory, std::uint64_t size, std::uint64_t kind);

  std::uint64_t first_ = 0, second_ = 0;
};

}  // namespace heddle::runtime
