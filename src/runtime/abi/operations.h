// What is known of each operation of the runtime, as data: the table operations.def.
//
// A thread announces an *operation*; the engine is told the *modes* of its accesses, of which there
// are fewer. The words of a mode are those of the first row that has it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "model/access.hpp"
#include "model/footprint.hpp"

namespace heddle::abi {

// In the order of the rows, so that `operations` can be indexed by it.
enum class OpKind : std::uint8_t {
#define OPERATION(kind, ...) kind,
#include "runtime/abi/operations.def"
#undef OPERATION
};

// What an operation is to other threads.
enum class Role : std::uint8_t {
  read,    // of memory
  write,   // likewise
  end,     // of a block of memory
  lock,    // acquires, or tries to
  unlock,  // releases
  wait,    // from now on the thread can be woken
  signal,  // wakes waiting threads, and does nothing if there are none
  take,    // takes what another thread gave, of which there may be none left
  give,
  meet,  // at a barrier
  thread,
  other,
};

// The memory that has to be there for a step, where accesses to it are events: initialising and
// destroying an object are such accesses, and so is a free.
enum class Needs : std::uint8_t {
  nothing,
  second,  // that of Op::second, if any
  object,  // that, and the memory of the object itself: the state is in it
};

// The mode of an operation that does not access any object.
inline constexpr Mode no_mode{mode_count};

struct Operation {
  Mode mode, otherwise;
  Varies varies;
  Role role;
  Needs needs;
  const char *step, *failed, *blocked;

  constexpr bool has(Mode m) const { return m == mode || m == otherwise; }
  constexpr bool fails_as(Mode m) const { return m == otherwise && *failed != '\0'; }
  constexpr bool can_block() const { return *blocked != '\0'; }
};

namespace detail::modes {
using enum Mode;
inline constexpr Mode none = no_mode;
}  // namespace detail::modes

inline constexpr Operation operations[] = {
#define OPERATION(kind, mode, otherwise, varies, role, needs, awaits, records, ...)         \
  {detail::modes::mode, detail::modes::otherwise, Varies::varies, Role::role, Needs::needs, \
   __VA_ARGS__},
#include "runtime/abi/operations.def"
#undef OPERATION
};
constexpr const Operation& row_of(OpKind kind) {
  return operations[static_cast<std::size_t>(kind)];
}

namespace detail {
// By number. (With the undefined-behaviour sanitizer, GCC cannot compare addresses at compile
// time.)
inline constexpr std::uint8_t no_row = 0xff;
static_assert(std::size(operations) < no_row);
constexpr std::array<std::uint8_t, mode_count> rows_by_mode() {
  std::array<std::uint8_t, mode_count> out{};
  out.fill(no_row);
  for (std::uint8_t row = std::size(operations); row-- > 0;)
    for (std::size_t m = 0; m < mode_count; ++m)
      if (operations[row].has(static_cast<Mode>(m))) out[m] = row;
  return out;
}
inline constexpr auto by_mode = rows_by_mode();
}  // namespace detail

// The row whose words and role a mode has; null if no operation has it.
constexpr const Operation* row_of(Mode mode) {
  const std::uint8_t row = detail::by_mode[static_cast<std::size_t>(mode)];
  return row == detail::no_row ? nullptr : &operations[row];
}

namespace detail {
constexpr bool are_rows_consistent() {
  for (const Operation& row : operations) {
    if (*row.failed != '\0' && (row.mode == row.otherwise || row.varies == Varies::no))
      return false;
    if (row.mode != no_mode && row.can_block() != blocks(row.mode)) return false;
  }
  return true;
}
static_assert(are_rows_consistent(),
              "a row fails without a mode for that, or blocks unlike its mode");
}  // namespace detail

}  // namespace heddle::abi
