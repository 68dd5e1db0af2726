// The channel between the engine and a worker: shared memory with a ring of requests and a ring of
// replies, so that many runs can be under way and neither side waits for the other.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/abi.h"

namespace heddle::abi {

// The environment variable with the number of the channel's file descriptor.
inline constexpr char channel_variable[] = "HEDDLE_CHANNEL";

inline constexpr std::uint32_t max_threads = 64;
inline constexpr std::uint32_t max_steps = 1U << 18;

struct WireMove {
  std::uint16_t thread, alternative;
};

// One use of an object. `object` holds the mode in its highest byte; below it, of memory the number
// of a granule of eight bytes and a mask of those that are meant, of threads their number, of other
// objects their address. Of the first use of memory of a step that has a value, that is in the
// place of `a` and `b`.
struct WireAccess {
  std::uint64_t object;
  std::uint32_t a, b;
};
inline constexpr unsigned mode_shift = 56;
inline constexpr std::uint64_t below_mode = (std::uint64_t{1} << mode_shift) - 1;
inline constexpr unsigned granule_bits = 3;
inline constexpr unsigned mask_bits = 8;

// What a step does. Programs have few that differ: each is kept once, in the dictionary of the
// channel. Followed by its accesses.
struct WireStep {
  std::uint64_t site;  // the address of a Site, or 0
  std::uint32_t access_count;
  std::uint16_t alternatives;
  std::uint8_t varies;
  std::uint8_t valued;  // has one, see Event::value
};

struct WireEvent {
  WireMove move;
  std::uint32_t step;  // its place in the dictionary, by words; and whether it waits
};
// Not taken: a thread waits to take it when another gives up, or at the end. Of a run that stops to
// look, its alternative says whether it could be.
inline constexpr std::uint32_t waits_bit = 1U << 31;
enum class Can : std::uint16_t { wait, go_on, give_up };

// Of events in a row: the same for the same.
constexpr std::uint64_t hash_after(std::uint64_t hash, const WireEvent& event) {
  const std::uint64_t word =
      std::uint64_t{event.step} << 32 | event.move.thread << 16 | event.move.alternative;
  return ((hash << 5 | hash >> 59) ^ word) * 0x9e3779b97f4a7c15ULL;
}

enum class Then : std::uint32_t {
  go_on,
  stop,
  look,     // stops, and tells which steps could be taken
  explain,  // goes on, and says more about what it finds: stacks, values
};

// Followed by its moves.
struct RequestHeader {
  std::uint64_t ticket;
  std::uint64_t seed;
  Then then;
  std::uint32_t move_count;
  std::uint32_t known_count;  // the first of the events are not sent, only their hash
  std::uint32_t serial;       // of no other request to the same worker; never 0
};

enum class Ending : std::uint32_t {
  complete,
  deadlock,
  assumed,
  misfit,
  stopped,
  cut_off,  // by a bound: nobody went on
  unsupported
};

enum class Finding : std::uint32_t {
  none,
  assertion,
  abort,
  terminate,
  signal,
  exit,
  deadlock,
  data_race,
  use_after_free,
  double_free,
  invalid_free,
  out_of_bounds,
  stack_overflow,
  lock_misuse,
  livelock,
  endless,
  died,
  nondeterminism,
};
inline constexpr const char* finding_names[] = {
    "none",         "assertion",     "abort",          "terminate",      "signal",
    "exit",         "deadlock",      "data-race",      "use-after-free", "double-free",
    "invalid-free", "out-of-bounds", "stack-overflow", "lock-misuse",    "livelock",
    "endless",      "died",          "nondeterminism"};
inline const char* name_of(Finding kind) { return finding_names[static_cast<std::size_t>(kind)]; }

// Things to know about a run that are no findings.
enum Note : std::uint32_t {
  note_atomics_weaker = 1,         // an atomic access asked for less than sequential consistency
  note_main_returned = 2,          // while other threads were running
  note_timed = 4,                  // a wait has a time limit
  note_nondet = 8,                 // a value was chosen
  note_condition = 16,             // a thread waited on a condition variable
  note_semaphore_value = 32,       // a thread looked at one, while there were others
  note_spin = 64,                  // it was cut off: a thread would only have gone round in a loop
  note_outcome = 128,              // the program said what came of the run
  note_raw_call = 1 << 17,         // a system call by its number, with memory that is not known
  note_outside = 1 << 16,          // it may have changed what is outside of the process: a file
  note_signal = 1U << 20,          // the process was sent one that several threads could have taken
  note_left_running = 1U << 21,    // the process ended while threads could have gone on for long
  note_cancel = 1U << 22,          // a thread was cancelled
  note_block_choice = 1U << 23,    // a thread chose in an atomic block
  note_foreign_thread = 1U << 24,  // code without hooks has started a thread
};

// Why a run was given up that is no finding, and not complete either.
enum class Held : std::uint32_t {
  nowhere,
  assumption,  // does not hold
  loop,        // that only waits
  time_limit,  // that is assumed not to be reached
  bound,       // there is no room for more of something
};
// Of what.
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

// Followed by its events, but for those that are known, and the steps that wait, its races, its
// text, its stacks and its details.
struct ReplyHeader {
  std::uint64_t bytes;  // in all
  std::uint64_t ticket;
  std::uint64_t known_hash;
  Ending ending;
  Finding finding;
  std::uint32_t finding_thread;
  std::uint32_t event_count, waiting_count, race_count;
  std::uint32_t misfit_at;
  std::uint32_t notes;       // a set of Note
  std::uint32_t text_bytes;  // of the finding, of the misfit, or what is not supported
  std::uint32_t stack_words;
  std::uint32_t threads;       // that have a number so far, in this run or others
  std::uint32_t detail_bytes;  // of a run that explains itself: a WireDetails
  // Who went on without a step, to what was to be its next, and after how many events: if the
  // process dies then, no event tells of it.
  std::uint32_t going, going_at;
  std::uint32_t serial;        // of the request
  Bound bound;                 // that it was given up at
  std::uint64_t site;          // of the finding
  std::uint64_t leaked_at;     // where memory was allocated that is lost at the end: a site, or 0
  std::uint64_t never_joined;  // where a thread was created that is neither joined nor detached
  std::uint64_t outcome;       // what the program said came of it, if it did: see Note
  std::uint64_t held_at;       // where it was given up: a site, or 0
  Held held;
  std::uint32_t left_blocked;     // the number of a thread that waits when the process ends, + 1
  std::uint64_t left_blocked_at;  // and where
};

// What becomes of a race. Of all but findings, the memory is to be visible.
enum class RaceSort : std::uint16_t {
  finding,
  // No race, but the order matters: a plain read saw in which order two atomic writes were made, or
  // this is no memory of the program, see runtime/hidden.hpp.
  observed,
  benign,      // by what the source says of one of the two
  suppressed,  // by the user, see Settings::pardoned
};

// Two accesses that race, the first and the second in the order of the run; or memory alone, whose
// plain accesses are to be events.
struct WireRace {
  std::uint64_t first_site, second_site;
  std::uint64_t memory;  // granule and mask, as in an access
  std::uint64_t stacks;  // the name of their two stacks, if these are known, or 0
  std::uint16_t first_thread, second_thread;
  std::uint8_t first_bits, second_bits;  // see runtime/shadow.hpp
  RaceSort sort;
};

// The name of two stacks that race with this memory, where it is that which is suppressed.
constexpr std::uint64_t race_with(std::uint64_t stacks, std::uint64_t memory) {
  return (stacks ^ memory * 0xc2b2ae3d27d4eb4fULL) * 0x9e3779b97f4a7c15ULL;
}

// What a run that explains itself tells beside its events. Followed by its spots and the details of
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
// Memory that was accessed. Of more than eight bytes, no value is known.
struct WireValue {
  std::uint64_t address, size;
  std::uint64_t before, after;
  std::uint8_t known;  // a set of Known
  std::uint8_t unused[7];
};
// An access that is no event: one of two that race, or a free.
struct WireSpot {
  WireValue value;
  std::uint64_t site;
  std::uint32_t at;  // how many events there were
  std::uint16_t thread;
  std::uint8_t bits;  // see runtime/shadow.hpp
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

enum class Races : std::uint32_t { report, explore };
enum class Timeouts : std::uint32_t { last_resort, explore };
enum class Savepoints : std::uint32_t { worthwhile, always, never };

inline constexpr std::uint32_t max_nondet = 64;
inline constexpr std::uint32_t max_visible = 1U << 14;
inline constexpr std::uint32_t max_pardoned = 1U << 12;
inline constexpr std::uint64_t at_exit = 0;  // no granule

// How to run the program; the same for all runs of an exploration.
struct Settings {
  std::uint32_t step_limit;
  Races races;
  Timeouts timeouts;
  Savepoints savepoints;
  std::uint8_t spurious_wakeups, fork_each, all_visible;
  std::uint8_t semaphore_values;  // are looked at: so each change of one is an event of its own
  std::uint8_t block_choices;     // are made: so an atomic block may have several alternatives
  std::uint8_t kill_at_exit;      // threads that are left when the process ends
  std::uint8_t
      observers;  // two writes are ordered only if an event sees it: so what sees them is one
  std::uint32_t waiting_rounds;  // of a loop, before a thread is stopped that only waits in it
  std::uint32_t nondet_count;
  std::int64_t nondet[max_nondet];
  // Memory whose plain accesses are events: granules and masks. And at_exit: what looks at memory
  // when the process ends is an event, too.
  std::uint32_t visible_count;
  std::uint64_t visible[max_visible];
  // Data races that are no findings, by the name of the two stacks, or of these with the memory, in
  // order.
  std::uint32_t pardoned_count;
  std::uint64_t pardoned[max_pardoned];
};

// The environment variable with the name of a file that has one run to make, for a program that is
// started by hand: this, and the moves.
inline constexpr char run_variable[] = "HEDDLE_RUN";
struct RunFile {
  std::uint32_t version, unused;
  Settings settings;
  RequestHeader request;
};

// Pieces begin in the first part of a ring only: behind it, the ring begins anew. So what is in use
// stays in the caches, and there is room for a long one.
constexpr std::uint64_t window_of(std::uint64_t ring_bytes) { return ring_bytes / 32; }

// Bytes from one side to the other. The memory is mapped twice in a row, so that whatever is in the
// ring lies in one piece.
// Each of the two writes in a cache line of its own: else they would take it from each other all
// the time.
inline constexpr std::size_t apart = 128;
struct Ring {
  alignas(apart) std::atomic<std::uint64_t> written;
  alignas(apart) std::atomic<std::uint64_t> read;
  // What the other side waits for, if it does: it is then to be woken.
  alignas(apart) std::atomic<std::uint32_t> signal;
  std::atomic<std::uint32_t> sleeping;
};

// Steps by what they do. Only the worker writes; what it has named stays for those that follow it.
inline constexpr std::uint32_t dictionary_slots = 1U << 20, dictionary_words = 1U << 23;
inline constexpr std::uint32_t max_accesses = 1U << 16;  // of one step
inline constexpr std::uint32_t step_words = sizeof(WireStep) / 8;
inline constexpr std::uint32_t access_words = sizeof(WireAccess) / 8;
// Where in the slots to begin to look for a step, made of so many words.
constexpr std::uint64_t step_hash(const std::uint64_t* words, std::uint32_t count) {
  std::uint64_t hash = 0;
  for (std::uint32_t k = 0; k < count; ++k)
    hash = ((hash << 5 | hash >> 59) ^ words[k]) * 0x9e3779b97f4a7c15ULL;
  return hash >> 32;
}
struct Dictionary {
  std::uint32_t steps, used;              // words; the first of them names no step
  std::uint32_t slots[dictionary_slots];  // where steps are, by their hash; 0: nowhere
  std::uint64_t words[dictionary_words];
};

inline constexpr std::uint64_t request_ring_bytes = 4 << 20, reply_ring_bytes = 16 << 20;

// The instrumented modules of the program, and which functions they called that they do not define.
// The same in all workers.
inline constexpr std::uint32_t max_modules = 1U << 12, max_called = 1U << 18;
inline constexpr std::uint32_t not_noted = ~0U;
struct Calls {
  struct Module {
    std::uint64_t address;  // of an abi::Module
    std::uint32_t first;    // of its functions in `called`; not_noted: all may have been
    std::uint32_t unused;
  };
  std::uint32_t modules, used;
  std::uint32_t modules_left_out;  // because there was no room for them
  std::uint32_t unused;
  Module module[max_modules];
  std::uint8_t called[max_called];
};

// Why a worker ended by itself, in words: it is no finding. Refused: it cannot go on with this
// program, or on this system. Bug: we did something wrong.
enum class Word : std::uint32_t { none, refused, bug };
struct LastWord {
  Word kind;
  char text[1020];
};

// Where in the memory of a worker to see which thread of the program runs, for the case that it
// does not come back.
struct Whereabouts {
  std::int32_t process;          // that makes the run; 0: the worker itself
  std::uint32_t id_at, site_at;  // where in what is known of a thread
  std::uint32_t unused;
  std::uint64_t current;  // the address of a pointer to that; null if no run is under way
};

struct Channel {
  std::uint32_t version;
  std::uint32_t opened;  // by a worker
  std::int32_t engine;   // its process: a worker that is no child of it is of no use
  LastWord last_word;
  Whereabouts whereabouts;
  Ring requests, replies;
  std::atomic<std::uint32_t> settings_epoch;
  Settings settings;

  // The numbers of threads are the same in all runs and in all workers: a thread is named by who
  // creates it, and as which of its children. 0: not named yet.
  std::uint32_t named;
  std::uint8_t children[max_threads][max_threads];
  // Of the present run, or the last: threads in the order in which others came to create them.
  std::uint32_t come_count;
  std::uint8_t come[max_threads];

  Calls calls;
};

constexpr std::uint64_t whole_pages(std::uint64_t n) { return (n + 4095) / 4096 * 4096; }
inline constexpr std::uint64_t requests_at = whole_pages(sizeof(Channel));
inline constexpr std::uint64_t replies_at = requests_at + request_ring_bytes;
inline constexpr std::uint64_t dictionary_at = replies_at + reply_ring_bytes;
inline constexpr std::uint64_t channel_bytes = dictionary_at + whole_pages(sizeof(Dictionary));

}  // namespace heddle::abi
