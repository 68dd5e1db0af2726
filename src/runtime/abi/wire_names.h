// The protocol, fourth part: the names that all workers of one program share (see wire.h), in
// memory of their own. naming.h has what is done with them.
//
// It is all zeros in the beginning. Any number of processes append at the same time; what is there
// is never changed. The program under test can write there by mistake: the engine copies and checks
// what it uses, and no process follows a number that is out of range.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/abi/wire_steps.h"

namespace heddle::abi {

// Whatever a process that maps this memory does to it must be one operation for the other
// processes.
static_assert(std::atomic<std::uint64_t>::is_always_lock_free &&
              std::atomic<std::uint32_t>::is_always_lock_free &&
              std::atomic<std::uint16_t>::is_always_lock_free);

// Steps by what they do. The name of a step is the index of its first word, so 0 names none.
//
// Invariants: a slot changes from 0 to a name, once; for a step with a value, by way of
// `tentative`, see naming.h. The words of a step are in place before its name is in a slot. A step
// is in the first slot, from that of its hash on, that no other step occupied before it: so no two
// names stand for the same step. Words that are in no slot belong to a process that lost the
// contest for a slot, or died.
// A million steps of eight words, which are three accesses; 68 MB, of which only what is used
// becomes memory. A program with more steps is not supported.
inline constexpr std::uint32_t dictionary_slots = 1U << 20, dictionary_words = 1U << 23;
// Three quarters: beyond that, the search for a free slot takes long.
inline constexpr std::uint32_t most_steps = dictionary_slots / 4 * 3;
// Beyond this number of steps, a value is recorded only if its step has a name already: counters
// would use up all names.
inline constexpr std::uint32_t most_with_values = dictionary_slots / 4;
struct Dictionary {
  std::atomic<std::uint32_t> steps;
  std::atomic<std::uint32_t> used;  // words, after the first
  std::atomic<std::uint32_t> slots[dictionary_slots];
  std::uint64_t words[dictionary_words];
};
// In a slot: not decided yet whether the step is added; decided that it is not.
inline constexpr std::uint32_t tentative_bit = 1U << 31, refused_bit = 1U << 30;
static_assert(dictionary_words <= refused_bit && dictionary_words <= pending_bit);

// The numbers of threads are the same in all runs and in all workers: a thread is named by its
// creator, and by its position among the creator's children.
//
// Invariant: an entry changes from 0 to a key, once, and only if the entries before it have one. No
// key occurs twice.
struct ThreadNames {
  std::atomic<std::uint16_t> creator[max_threads];  // by number; main, 0, has none
};
static_assert(max_threads * max_threads + 1 <= 0xffff, "keys are 16 bits, and not 0");
constexpr std::uint16_t child_key(unsigned creator, unsigned nth) {
  return static_cast<std::uint16_t>(creator * max_threads + nth + 1);
}

// Which functions the instrumented modules called that they do not define.
//
// Invariant: an entry of `module` changes from 0 to a module with its part of `called`, once.
// What does not fit counts as called: a report then names more functions than it would have to.
inline constexpr std::uint32_t max_modules = 1U << 12, max_called = 1U << 18;
inline constexpr std::uint32_t not_noted = ~0U;
struct CallNotes {
  std::atomic<std::uint32_t> used;                 // of `called`
  std::atomic<std::uint64_t> module[max_modules];  // its identity, and the first of its functions
  std::uint8_t called[max_called];                 // sets of abi::Called
};
inline constexpr unsigned first_bits = 18;
static_assert(max_called <= 1U << first_bits);

struct Names {
  ThreadNames threads;
  CallNotes calls;
  Dictionary steps;
};

}  // namespace heddle::abi
