// What the runs of an exploration reported beside events and findings: the material of warnings and
// limits.
#pragma once

#include <cstdint>

#include "runtime/abi/wire.h"

namespace heddle::native {

struct Notes {
  std::uint32_t set = 0;  // of abi::Note
  std::uint64_t leaked_at = 0, never_joined = 0, unreceived_at = 0;
  std::uint64_t cut_off = 0;  // runs that had note_spin
  // The first blocked run: why it was blocked, and where.
  abi::Held held = abi::Held::nowhere;
  std::uint64_t held_at = 0;
  // Runs that were given up because they exceeded a bound; for the first of them, which bound, and
  // where.
  std::uint64_t bounded = 0;
  abi::Bound bound = abi::Bound::none;
  std::uint64_t bound_at = 0;
  // The first run that left a thread blocked: the thread's number + 1, and where.
  std::uint32_t left_blocked = 0;
  std::uint64_t left_blocked_at = 0;

  // Adds what one run reported. REQUIRES: the decoder has accepted the reply.
  void add(const abi::ReplyHeader& reply) {
    set |= reply.notes;
    if ((reply.notes & abi::note_spin) != 0) ++cut_off;
    if (leaked_at == 0) leaked_at = reply.leaked_at;
    if (never_joined == 0) never_joined = reply.never_joined;
    if (unreceived_at == 0) unreceived_at = reply.unreceived_at;
    note_held(reply.held, reply.held_at);
    if (reply.bound != abi::Bound::none) note_bound(1, reply.bound, reply.held_at);
    note_left_blocked(reply.left_blocked, reply.left_blocked_at);
  }
  // Adds those of a later exploration of the same program.
  Notes& operator+=(const Notes& other) {
    set |= other.set;
    if (leaked_at == 0) leaked_at = other.leaked_at;
    if (never_joined == 0) never_joined = other.never_joined;
    if (unreceived_at == 0) unreceived_at = other.unreceived_at;
    cut_off += other.cut_off;
    note_held(other.held, other.held_at);
    note_bound(other.bounded, other.bound, other.bound_at);
    note_left_blocked(other.left_blocked, other.left_blocked_at);
    return *this;
  }

  // The first report of each counts.
  void note_held(abi::Held why, std::uint64_t at) {
    if (held != abi::Held::nowhere) return;
    held = why;
    held_at = at;
  }
  void note_bound(std::uint64_t runs, abi::Bound of, std::uint64_t at) {
    if (bounded == 0) {
      bound = of;
      bound_at = at;
    }
    bounded += runs;
  }
  void note_left_blocked(std::uint32_t thread, std::uint64_t at) {
    if (left_blocked != 0) return;
    left_blocked = thread;
    left_blocked_at = at;
  }
};

}  // namespace heddle::native
