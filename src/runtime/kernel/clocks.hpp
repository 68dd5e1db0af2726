// What happens before what, by the rules of the language: locks, starts and joins synchronise;
// atomic accesses do so by their memory orders, release sequences and fences. (Runs themselves are
// sequentially consistent: an order that follows from that alone, or from relaxed accesses, does
// not count here. So data published without synchronisation is found to race.)
//
// Vector clocks. A thread's own tick is incremented after each release, so that what it does later
// is known not to be covered by that release.
//
// Promise: no clock comes to know of anything without an act that tells of it (stretches.hpp).
// Clocks are handed out to be read; each function here that changes one tells of it first, whole,
// whatever the clocks know already.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "runtime/abi/abi.h"
#include "runtime/abi/wire.h"
#include "runtime/kernel/savepoint.hpp"
#include "runtime/kernel/state_hash.hpp"

namespace heddle::runtime {

struct Clock {
  std::uint64_t time;  // in nanoseconds: an event has no earlier time than those that happen before
                       // it
  std::uint32_t size;  // ticks from here on are 0; up to the end of a chunk they are so in memory,
                       // too
  std::uint32_t unused;
  std::uint32_t ticks[abi::max_threads];

  void clear() {
    size = 0;
    time = 0;
  }
  void assign(const Clock& other) {
    time = other.time;
    size = other.size;
    for (std::uint32_t k = 0; k < size; k += per_chunk) store(k, other.load(k));
  }
  void join(const Clock& other) {
    time = time < other.time ? other.time : time;
    grow(other.size);
    for (std::uint32_t k = 0; k < other.size; k += per_chunk) {
      const Chunk a = load(k), b = other.load(k);
      store(k, a < b ? b : a);
    }
  }
  // Ignores times.
  bool is_within(const Clock& other) const {
    for (std::uint32_t k = 0; k < size; ++k)
      if (ticks[k] > other[k]) return false;
    return true;
  }
  void grow(std::uint32_t to) {
    if (to <= size) return;
    for (std::uint32_t k = rounded(size); k < to; k += per_chunk) store(k, Chunk{});
    size = to;
  }
  void save(Savepoint& into) {
    into.keep(this, offsetof(Clock, ticks) + rounded(size) * sizeof ticks[0]);
  }
  std::uint32_t operator[](unsigned thread) const { return thread < size ? ticks[thread] : 0; }

 private:
  // Ticks are compared and copied this many at a time: as many as a 16-byte register of x86-64-v2
  // holds.
  static constexpr std::uint32_t per_chunk = 4;
  using Chunk [[gnu::vector_size(per_chunk * sizeof(std::uint32_t))]] = std::uint32_t;
  static_assert(abi::max_threads % per_chunk == 0);

  static std::uint32_t rounded(std::uint32_t n) { return (n + per_chunk - 1) & ~(per_chunk - 1); }
  Chunk load(std::uint32_t k) const {
    Chunk out;
    std::memcpy(&out, ticks + k, sizeof out);
    return out;
  }
  void store(std::uint32_t k, Chunk chunk) { std::memcpy(ticks + k, &chunk, sizeof chunk); }
};

struct ThreadClock {
  Clock now;
  Clock released;    // as of its last release fence
  Clock to_acquire;  // from relaxed reads: an acquire fence takes it

  void clear_fences() {
    released.clear();
    to_acquire.clear();
  }
};

const ThreadClock& clock_of(unsigned thread);
// The time, as the thread sees it.
std::uint64_t& time_of(unsigned thread);

void set_up_clocks();
// A new run, with the first thread only.
void clear_clocks();
void save_clocks(Savepoint& into);
// Times that some thread has yet to reach, if it learns of them.
void digest_times(StateHash& into);
void start_clock(unsigned child, unsigned parent);

// For a lock or the like: a thread that acquires it sees what was done before it was released. An
// object is named by an address, and may have more in the bits above, up to this many in all.
inline constexpr unsigned object_bits = 61;
void acquire(unsigned thread, const void* object);
void release(unsigned thread, const void* object);
void join_thread(unsigned thread, unsigned ended);

// For an atomic access: its reading part, then its writing part. `continues`: it does both in one
// step. `own_continue`: see abi::Site.
void order_read(unsigned thread, const void* address, std::uint64_t size, abi::Ordering ordering);
// What a thread that reads there acquires.
void released_at(const void* address, std::uint64_t size, Clock& into);
void order_write(unsigned thread, const void* address, std::uint64_t size, abi::Ordering ordering,
                 bool continues, bool own_continue);
void order_fence(unsigned thread, abi::Ordering ordering);

}  // namespace heddle::runtime
