// The protocol, second part: what a worker is asked, and what it replies (see wire.h). What a reply
// may contain is checked by Decoder::fault_in: a new field needs its check there.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/finding_kind.hpp"
#include "runtime/abi/wire_steps.h"

namespace heddle::abi {

enum class Then : std::uint32_t {
  proceed,  // continues after the schedule, to the end
  stop,     // ends after the schedule
  list,     // ends after the schedule, and lists the choices there
  explain,  // continues, and records details: stacks, values
};

// Stands for the state of the program after an event: see kernel/digest.hpp. All zeros: no state
// that can be compared.
struct WireDigest {
  std::uint64_t first, second;
};

// Acts that decide on data races (model/stretch.hpp, kernel/stretches.hpp).
enum class ActKind : std::uint8_t { add, replace, forget, access };
struct WireAct {
  ActKind kind;
  // Of an access: its thread, the bytes of each granule, AccessBits, and the number of granules.
  std::uint8_t thread, mask, bits;
  std::uint32_t count;
  // Who learns, and from whom; or the first granule, the site, and the name of the stack, or 0.
  std::uint64_t first, second, third;
};
static_assert(sizeof(WireAct) == 32);
// Who knows of accesses has a name, the same in all runs: threads have this and their number, what
// others have is up to kernel/clocks.cpp.
inline constexpr std::uint64_t knowing_threads = std::uint64_t{1} << 60;
inline constexpr std::uint32_t max_acts = 1U << 17;  // of a run, if stretches that are equal share

// Those of one event: `count` of the acts of the reply, from `first` on. `at`: how many events
// there are after it, or 0: what comes before the first event.
struct WireStretch {
  std::uint32_t at;
  std::uint32_t first, count;
  std::uint32_t unused;
};

// What a run is to find out beside its events: what the states that it comes to are (digests), and
// whether the engine knows one of them (known), where it ends. In both cases also stretches.
enum class Compare : std::uint32_t { nothing, digests, known };

// Followed by its moves, and by those that sleep after them.
struct RequestHeader {
  std::uint64_t ticket;
  std::uint64_t seed;
  Then then;
  std::uint32_t move_count;
  std::uint32_t known_count;  // the first events, this many, are not sent, only their hash
  std::uint32_t serial;       // unique among the requests to a worker; never 0
  Compare compare;            // if not `nothing`, seed is not 0; even: see kernel/policy.cpp
  std::uint32_t digest_from;  // the states after the first events, this many, are not compared
  // Moves that are not made, until another step uses the same object: see kernel/asleep.hpp.
  std::uint32_t asleep_count, unused;
};

enum class Ending : std::uint32_t {
  complete,
  deadlock,
  assumed,
  diverged,
  stopped,
  cut_off,  // by a bound: no thread continued
  unsupported,
  held,   // a thread could continue, but for a wait of the cube
  known,  // the state after the last event is known to the engine
  asleep  // every move that could be made sleeps
};

using Finding = FindingKind;
using heddle::finding_names;
using heddle::name_of;

// Things to know about a run that are not findings.
enum Note : std::uint32_t {
  note_atomics_weaker = 1,         // an atomic access asked for less than sequential consistency
  note_main_returned = 2,          // while other threads were running
  note_timed = 4,                  // a wait has a time limit
  note_nondet = 8,                 // a value was chosen
  note_condition = 16,             // a thread waited on a condition variable
  note_semaphore_value = 32,       // a thread read one, while there were other threads
  note_spin = 64,                  // it was cut off: a thread would only have repeated rounds of a
                                   // loop
  note_outcome = 128,              // the program reported its outcome
  note_raw_call = 1 << 17,         // a system call by number, with memory accesses that are not
                                   // known
  note_outside = 1 << 16,          // it may have changed something outside of the process: a file
  note_signal = 1U << 20,          // the process was sent one that several threads could have
                                   // received
  note_left_running = 1U << 21,    // the process ended while threads could have continued for long
  note_cancel = 1U << 22,          // a thread was cancelled
  note_block_choice = 1U << 23,    // a thread chose in an atomic block
  note_foreign_thread = 1U << 24,  // code without hooks has started a thread
};
// Of the engine itself: two runs of one schedule came to states that differ, and made the same
// steps.
inline constexpr std::uint32_t note_states_differ = 1U << 25;
inline constexpr std::uint32_t all_notes =
    note_atomics_weaker | note_main_returned | note_timed | note_nondet | note_condition |
    note_semaphore_value | note_spin | note_outcome | note_raw_call | note_outside | note_signal |
    note_left_running | note_cancel | note_block_choice | note_foreign_thread;

// Why a run was given up that is neither complete nor a finding.
enum class Held : std::uint32_t {
  nowhere,
  assumption,  // does not hold
  loop,        // that only waits
  time_limit,  // one that is assumed not to expire
  bound,       // there is no room for more of something
};
// Which bound.
enum class Bound : std::uint32_t {
  none,
  threads,
  conditions,
  mappings,
  functions_at_exit,
  thread_local_objects,
  readings,
  memory,
};
inline constexpr const char* bound_texts[] = {
    "nothing",
    "more than 64 threads",
    "more than 4096 condition variables and futexes in a run",
    "more than 1024 mappings of memory at given addresses",
    "more than 1024 functions to be called at exit",
    "more than 256 thread-local objects with destructors in a thread",
    "a thread that holds a readers-writer lock for reading more than 15 times",
    "more than 256 MB of memory allocated by a thread (what is freed counts, too)"};
static_assert(sizeof bound_texts / sizeof bound_texts[0] ==
              static_cast<std::size_t>(Bound::memory) + 1);

// Followed by its events except for the known ones, among them the pending steps (WireEvent); its
// digests (WireDigest), of the states after its events from RequestHeader::digest_from on; the
// stretches of the same events, those that are not empty (WireStretch), and their acts (WireAct);
// its races (WireRace), its text, its stacks (WireStack) and its details (WireDetails).
struct ReplyHeader {
  std::uint64_t bytes;  // in all
  std::uint64_t ticket;
  std::uint64_t known_hash;
  Ending ending;
  Finding finding;
  std::uint32_t finding_thread;
  std::uint32_t event_count, waiting_count, race_count;
  std::uint32_t digest_count;  // the last states of a run that ended abruptly have none
  std::uint32_t stretch_count, act_count;
  std::uint32_t diverged_at;
  std::uint32_t notes;       // a set of Note
  std::uint32_t text_bytes;  // of the finding, of the divergence, or what is not supported
  std::uint32_t stack_words;
  std::uint32_t threads;       // that have a number so far, in this run or in other runs
  std::uint32_t detail_bytes;  // for a run that is explained: the size of a WireDetails and what
                               // follows it
  // The thread that continued last without taking a step, up to its next one, and after how many
  // events: if the process dies then, no event shows it.
  std::uint32_t going, going_at;
  std::uint32_t serial;         // of the request
  Bound bound;                  // that it was given up at
  std::uint64_t site;           // of the finding
  std::uint64_t leaked_at;      // where memory was allocated that is lost at the end: a site, or 0
  std::uint64_t never_joined;   // where a thread was created that is neither joined nor detached
  std::uint64_t unreceived_at;  // where a message was sent that is never received: a site, or 0
  std::uint64_t outcome;        // what the program reported, if it did: see Note
  std::uint64_t held_at;        // where it was given up: a site, or 0
  Held held;
  std::uint32_t left_blocked;     // the number of a thread that is blocked at the end, + 1
  std::uint64_t left_blocked_at;  // and where
};

// A stack of a reply. Followed by the addresses in its frames, the innermost first.
struct WireStack {
  std::uint64_t thread;
  std::uint64_t depth;
};

// How memory was accessed.
enum AccessBits : std::uint8_t {
  bit_write = 1,
  bit_plain = 2,
  bit_free = 4,  // ends the memory, or that it is written
  bit_benign = 8,
  bit_hidden = 16,  // of acts: it is not memory of the program, see runtime/memory/hidden.hpp
};

// What becomes of a race. For all sorts except findings, the memory has to become visible.
enum class RaceSort : std::uint16_t {
  finding,
  // Not a race, but the order matters: a plain read saw in which order two atomic writes were made,
  // or this is not memory of the program, see runtime/memory/hidden.hpp.
  observed,
  benign,      // according to the source of one of the two
  suppressed,  // by the user, see Settings::pardoned
};

// Two accesses that race, the first and the second in the order of the run; or memory alone, whose
// plain accesses have to become events.
struct WireRace {
  std::uint64_t first_site, second_site;
  std::uint64_t memory;  // granule and mask, as in an access
  std::uint64_t stacks;  // the name of their two stacks, if these are known, or 0
  std::uint8_t first_thread, second_thread;
  std::uint8_t first_bits, second_bits;  // see runtime/memory/shadow.hpp
  std::uint8_t first_mask, second_mask;  // the bytes of the granule that each uses
  RaceSort sort;
};

// The name of two stacks, in either order; 0 if one of them is not known.
constexpr std::uint64_t name_of_stacks(std::uint64_t one, std::uint64_t other) {
  if (one == 0 || other == 0) return 0;
  const std::uint64_t least = one < other ? one : other, most = one < other ? other : one;
  const std::uint64_t name = least * 0x9e3779b97f4a7c15ULL ^ most;
  return name == 0 ? 1 : name;
}

// The name of two stacks that race on this memory, where the user suppressed the memory.
constexpr std::uint64_t race_with(std::uint64_t stacks, std::uint64_t memory) {
  return (stacks ^ memory * 0xc2b2ae3d27d4eb4fULL) * 0x9e3779b97f4a7c15ULL;
}

// What a run that is explained reports besides its events. Followed by its spots and the details of
// its events, each with its frames, and by the blocks of the heap.
struct WireDetails {
  std::uint32_t spot_count, event_count, block_count;
  std::uint32_t finding_at;  // how many events there were when the finding was made
};
// A frame of a stack: where it is, and its registers.
struct WireFrame {
  std::uint64_t code, stack_pointer, frame_pointer;
};
enum Known : std::uint8_t { known_before = 1, known_after = 2 };
// Memory that was accessed. For more than eight bytes, no value is known.
struct WireValue {
  std::uint64_t address, size;
  std::uint64_t before, after;
  std::uint8_t known;  // a set of Known
  std::uint8_t unused[7];
};
// An access that is not an event: one of two that race, or a free.
struct WireSpot {
  WireValue value;
  std::uint64_t site;
  std::uint32_t at;  // how many events there were
  std::uint16_t thread;
  std::uint8_t bits;  // see runtime/memory/shadow.hpp
  std::uint8_t unused;
  std::uint64_t depth;
};
struct WireEventDetail {
  WireValue value;
  std::uint32_t event;  // its number
  std::uint32_t depth;
};
struct WireBlock {
  std::uint64_t address, size;
  std::uint64_t site;    // where it was allocated, or 0
  std::uint64_t freed;   // 0: it was not; else where, or 1 if that is not known
  std::uint32_t thread;  // max_threads: it is from before main
  std::uint32_t freed_by;
};

}  // namespace heddle::abi
