// The protocol, first part: moves, and what steps do (see wire.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/access.hpp"

namespace heddle::abi {

// Threads are bits of a 64-bit word in many places of the runtime: the number cannot be raised on
// its own.
inline constexpr std::uint32_t max_threads = 64;
// Of a run, and moves of a schedule: two megabytes of events, which fit into the rings (wire.h). A
// run with more steps is reported as endless.
inline constexpr std::uint32_t max_steps = 1U << 18;

struct WireMove {
  std::uint16_t thread, alternative;
};

// One use of an object. `object` holds the mode (model/access.hpp) in its highest byte, and below
// it what is used:
//
//   memory          the number of a granule of eight bytes, and in the lowest byte a mask of the
//                   bytes of it that are meant
//   threads         their number
//   other objects   their address, and above it their incarnation: how often an object was
//                   initialised there
//
// If the step has a value, the first use of memory has it in `a` (the lower half) and `b`.
struct WireAccess {
  std::uint64_t object;
  std::uint32_t a, b;
};
inline constexpr unsigned mode_shift = 56;
inline constexpr std::uint64_t below_mode = (std::uint64_t{1} << mode_shift) - 1;
inline constexpr unsigned granule_bits = 3;
inline constexpr unsigned mask_bits = 8;
inline constexpr unsigned address_bits = 47;  // of the addresses that a process can have on x86-64
inline constexpr unsigned incarnation_bits = 8;
static_assert(mode_count <= std::size_t{1} << (64 - mode_shift), "a mode is one byte");
static_assert(mask_bits == 1U << granule_bits, "a bit for each byte of a granule");
// What is not memory and yet counts as memory is above it: one more bit.
static_assert(address_bits + 1 - granule_bits + mask_bits <= mode_shift);
static_assert(address_bits + incarnation_bits <= mode_shift);
static_assert(sizeof(WireAccess) == 16 && sizeof(WireMove) == 4);

constexpr std::uint64_t mode_bits(const WireAccess& access) { return access.object >> mode_shift; }
constexpr std::uint64_t with_mode(std::uint64_t object, std::uint8_t mode) {
  return (object & below_mode) | std::uint64_t{mode} << mode_shift;
}

// What a step does. Programs have few different steps: each is kept once, in the dictionary
// (wire_names.h). Followed by its accesses.
struct WireStep {
  std::uint64_t site;  // the address of a Site, or 0
  std::uint32_t access_count;
  std::uint16_t alternatives;
  std::uint8_t varies;  // see Varies
  std::uint8_t valued;  // 1: has a value, see Event::value
};
// Of one step: a write or free of half a megabyte. A step with more is not supported.
inline constexpr std::uint32_t max_accesses = 1U << 16;
inline constexpr std::uint32_t step_words = sizeof(WireStep) / 8;
inline constexpr std::uint32_t access_words = sizeof(WireAccess) / 8;
static_assert(sizeof(WireStep) == 16);

struct WireEvent {
  WireMove move;
  std::uint32_t step;  // its name in the dictionary; and whether it is pending
};
static_assert(sizeof(WireEvent) == 8);
// Pending, not executed: the next step of a blocked thread when another times out, or at the end of
// the run. For a run that lists choices (Then::list), `alternative` is a Can.
inline constexpr std::uint32_t pending_bit = 1U << 31;
constexpr bool is_pending(const WireEvent& event) { return (event.step & pending_bit) != 0; }
constexpr std::uint32_t step_name(const WireEvent& event) { return event.step & ~pending_bit; }
enum class Can : std::uint16_t { wait, proceed, time_out };

// The hash of a sequence of events, from the hash of all but the last.
constexpr std::uint64_t hash_after(std::uint64_t hash, const WireEvent& event) {
  const std::uint64_t word =
      std::uint64_t{event.step} << 32 | event.move.thread << 16 | event.move.alternative;
  return ((hash << 5 | hash >> 59) ^ word) * 0x9e3779b97f4a7c15ULL;
}

}  // namespace heddle::abi
