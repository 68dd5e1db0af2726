// What functions do to memory through their arguments, according to functions.h: reported like
// accesses of the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "runtime/abi/functions.h"
#include "runtime/kernel/current.hpp"
#include "runtime/sys/system_code.hpp"

namespace heddle::runtime {

// Reports the uses that are late, or those that are not. `arguments` has a word for each.
void tell_uses(std::span<const abi::Use> uses, const std::uint64_t* arguments, bool late = false);

// The bits of arguments that the pass knows to be of no interest to other threads, in the call that
// the current thread is in.
inline std::uint32_t take_private_arguments() {
  const std::uint32_t out = current().private_arguments;
  current().private_arguments = 0;
  return out;
}

// Uses of objects are reported by the operations on them, and null pointers are skipped.
constexpr bool is_told(const abi::Use& use, bool late, const std::uint64_t* arguments) {
  return use.late == late && use.what != 'o' && use.what != '.' &&
         (arguments[use.argument] != 0 || use.measure == 't' || use.what == 'n');
}

template <std::size_t size>
struct FunctionName {
  char text[size];
  consteval FunctionName(const char (&name)[size]) {
    for (std::size_t k = 0; k < size; ++k) text[k] = name[k];
  }
};

namespace detail {

template <FunctionName name>
inline constexpr abi::Uses row =
    abi::uses_of(*abi::find_function({name.text, sizeof name.text - 1}));

template <typename T>
std::uint64_t as_word(T argument) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<std::uint64_t>(argument);
  else
    return static_cast<std::uint64_t>(argument);
}

// A fixed size is that of what the argument points to.
template <typename T>
consteval bool has_size(const abi::Use& use) {
  using Pointed = std::remove_pointer_t<T>;
  if (use.measure != '#' || use.what == '.') return true;
  if constexpr (!std::is_pointer_v<T>)
    return std::is_same_v<T, long>;  // a word, which may be anything
  else if constexpr (std::is_void_v<Pointed> || std::is_function_v<Pointed>)
    return true;
  else
    return sizeof(Pointed) == use.bytes;
}

template <const abi::Uses& uses, typename... Arguments>
consteval bool has_sizes() {
  for (const abi::Use& use : uses.all()) {
    std::uint8_t k = 0;
    if (!((k++ != use.argument || has_size<Arguments>(use)) && ...)) return false;
  }
  return true;
}

}  // namespace detail

// Made at the head of a function that the runtime stands in for, with its arguments: reports what
// its row says, and by rest() what is done late. Calls from within the C library are not reported:
// it may hold locks, and must not yield.
template <FunctionName name, typename... Arguments>
class Telling {
 public:
  Telling(const void* caller, Arguments... arguments)
      : told_(is_running() && !is_in_system(caller)), arguments_{detail::as_word(arguments)...} {
    static_assert(detail::has_sizes<detail::row<name>, Arguments...>());
    if (!told_) return;
    const std::uint32_t private_ones = take_private_arguments();
    for (unsigned k = 0; k < sizeof...(Arguments); ++k)
      if ((private_ones >> k & 1) != 0) arguments_[k] = 0;
    tell_those<false>();
  }
  void rest() const {
    if (told_) tell_those<true>();
  }

 private:
  template <bool late>
  void tell_those() const {
    bool any = false;  // most arguments that may be null are
    for (const abi::Use& use : detail::row<name>.all()) any = any || is_told(use, late, arguments_);
    if (any) tell_uses(detail::row<name>.all(), arguments_, late);
  }

  bool told_;
  std::uint64_t arguments_[sizeof...(Arguments)];
};

template <FunctionName name, typename... Arguments>
Telling<name, Arguments...> tell(const void* caller, Arguments... arguments) {
  return {caller, arguments...};
}

}  // namespace heddle::runtime

#define HEDDLE_CALLED_FROM __builtin_return_address(0)
