// The protocol between the engine and its workers, all of it, with its bits and its bounds.
//
// A worker shares two pieces of memory with the engine:
//
//   Channel   its own: a ring of requests and a ring of replies, so that many runs can be in flight
//             and neither side waits for the other; settings; and what the engine must know if the
//             process dies or hangs
//   Names     of all workers of one program: of steps and threads, and which functions were called
//
// The subjects are in files of their own:
//
//   wire_steps.h      moves, accesses, steps, events; how addresses are packed
//   wire_runs.h       requests and replies: endings, findings, races, stacks, details
//   wire_settings.h   how runs are made
//   wire_names.h      Names
//
// The program under test has this memory, too, and may write there by mistake. The engine trusts
// nothing that it has not checked: replies in Decoder::fault_in, names in StepTable and
// SharedNames, the counters of the rings in SharedChannel.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/abi/abi.h"
#include "runtime/abi/wire_names.h"
#include "runtime/abi/wire_runs.h"
#include "runtime/abi/wire_settings.h"
#include "runtime/abi/wire_steps.h"

namespace heddle::abi {

// The environment variable with the numbers of two file descriptors, the channel's and the names',
// with a comma between them.
inline constexpr char channel_variable[] = "HEDDLE_CHANNEL";

// Messages begin in the first part of a ring only: after it, the ring starts over. So what is in
// use stays in the caches (half a megabyte of replies, with a second-level cache of that size or
// more), and there is room for a long message: the longest possible one, a run of max_steps events,
// is an eighth of the ring, and with digests and stretches seven eighths.
constexpr std::uint64_t window_of(std::uint64_t ring_bytes) { return ring_bytes / 32; }

// A ring of bytes from one side to the other. Its memory is mapped twice in a row, so that whatever
// is in the ring is contiguous. Each side writes in a cache line of its own: otherwise they would
// take the line from each other all the time. 128 is two lines, as processors prefetch lines in
// pairs.
inline constexpr std::size_t apart = 128;
struct Ring {
  alignas(apart) std::atomic<std::uint64_t> written;
  alignas(apart) std::atomic<std::uint64_t> read;
  // What the other side waits for, if it waits: it has to be woken then.
  alignas(apart) std::atomic<std::uint32_t> signal;
  std::atomic<std::uint32_t> sleeping;
};
inline constexpr std::uint64_t request_ring_bytes = 4 << 20, reply_ring_bytes = 16 << 20;
static_assert(max_steps * (sizeof(WireEvent) + sizeof(WireDigest) + sizeof(WireStretch)) +
                      max_acts * sizeof(WireAct) <=
                  reply_ring_bytes / 8 * 7 &&
              max_steps * sizeof(WireMove) <= request_ring_bytes / 4);
// Counts and sizes of a reply are 32 bits; a size of a ring is a mask.
static_assert(reply_ring_bytes <= 0xffffffff && (reply_ring_bytes & (reply_ring_bytes - 1)) == 0 &&
              (request_ring_bytes & (request_ring_bytes - 1)) == 0);

// The states that the engine knows, for a worker to end its run where it comes to one: a table with
// open addressing of the first halves of their digests, none of which is 0. The engine alone writes
// it. A key is looked for from the slot of its lowest bits on, up to an empty slot. If a key is
// found that should not be there, the run ends early, which the engine notices; if one is not
// found, the run is longer.
//
// When half of a table is used, the engine makes one of twice the size. Tables are in the file of
// the channel, one after the other, and mapped when they are needed.
inline constexpr std::uint32_t first_known_bits = 12, last_known_bits = 26;
struct KnownTable {
  std::atomic<std::uint32_t> bits;  // it has 2^bits slots; 0: there is none
};
constexpr std::uint64_t known_slots(std::uint32_t bits) { return std::uint64_t{1} << bits; }
constexpr std::uint64_t known_bytes(std::uint32_t bits) {
  return known_slots(bits) * sizeof(std::uint64_t);
}
constexpr bool may_be_known_bits(std::uint32_t bits) {
  return bits >= first_known_bits && bits <= last_known_bits;
}

// The instrumented modules of the worker's program.
struct Modules {
  struct Module {
    std::uint64_t address;  // of an abi::Module
    std::uint32_t first;    // of its functions in CallNotes; not_noted: all may have been called
    std::uint32_t unused;
  };
  std::uint32_t count;
  std::uint32_t left_out;  // because there was no room for them
  Module module[max_modules];
};

// Why a worker ended by itself, in words: it is not a finding. `refused`: it cannot run this
// program, or not on this system. `bug`: a check of the runtime failed, or Heddle did something
// else wrong.
enum class Word : std::uint32_t { none, refused, bug };
struct LastWord {
  Word kind;
  char text[1020];
};

// Where in the memory of a worker to find which thread of the program is running, in case a run
// hangs.
struct Whereabouts {
  std::int32_t process;          // that makes the run; 0: the worker itself
  std::uint32_t id_at, site_at;  // offsets in the record of a thread
  std::uint32_t unused;
  std::uint64_t current;  // the address of a pointer to that record; null if no run is in progress
};

inline constexpr std::size_t max_processors = 1024;  // of the C library's sets

struct Channel {
  std::uint32_t version;
  std::uint32_t opened;  // by a worker
  std::int32_t engine;   // its process: a worker whose parent it is not is of no use
  // The processors that the program may use, as far as it is told: a bit for each. Which of them a
  // worker really uses is the engine's decision; `crowded`: one, and the same as the engine: while
  // one of the two runs, the other waits.
  std::uint64_t processors[max_processors / 64];
  std::uint32_t crowded;
  LastWord last_word;
  Whereabouts whereabouts;
  Ring requests, replies;
  std::atomic<std::uint32_t> settings_epoch;
  Settings settings;

  // Whether threads have numbers of this worker's own, in place of those that workers share: then
  // they are numbered in the order in which a run creates them.
  std::uint32_t numbers_afresh;
  ThreadNames own_threads;
  // For the current run, or the last one: threads in the order in which their creators came to
  // create them.
  std::uint32_t come_count;
  std::uint8_t come[max_threads];
  static_assert(max_threads <= 256);

  Modules modules;
  KnownTable known;
};

constexpr std::uint64_t whole_pages(std::uint64_t n) { return (n + 4095) / 4096 * 4096; }
inline constexpr std::uint64_t requests_at = whole_pages(sizeof(Channel));
inline constexpr std::uint64_t replies_at = requests_at + request_ring_bytes;
inline constexpr std::uint64_t channel_bytes = replies_at + reply_ring_bytes;
// Where the table of this size is: after all smaller ones.
constexpr std::uint64_t known_at(std::uint32_t bits) {
  return channel_bytes + known_bytes(bits) - known_bytes(first_known_bits);
}
inline constexpr std::uint64_t names_bytes = whole_pages(sizeof(Names));

}  // namespace heddle::abi
