// How processes agree on names (wire_names.h): look-up, and appending while other processes append.
// No function here waits for another process: one that dies in the middle leaves nothing that stops
// the others.
#pragma once

#include <cstring>

#include "runtime/abi/wire_names.h"

namespace heddle::abi {

// The slot at which the search for a step that is made of these words begins.
constexpr std::uint64_t step_hash(const std::uint64_t* words, std::uint32_t count) {
  std::uint64_t hash = 0;
  for (std::uint32_t k = 0; k < count; ++k)
    hash = ((hash << 5 | hash >> 59) ^ words[k]) * 0x9e3779b97f4a7c15ULL;
  return hash >> 32;
}

// Whether the content of a slot is the name of this step.
inline bool is_step(const Dictionary& d, std::uint32_t slot, const std::uint64_t* words,
                    std::uint32_t count) {
  const std::uint32_t name = slot & ~(tentative_bit | refused_bit);
  return name < dictionary_words && count <= dictionary_words - name &&
         d.words[name + 1] == words[1] && std::memcmp(d.words + name, words, count * 8) == 0;
}

// The name of a step that has one; otherwise 0.
inline std::uint32_t find_step(const Dictionary& d, const std::uint64_t* words,
                               std::uint32_t count) {
  std::uint64_t at = step_hash(words, count);
  for (std::uint32_t looked = 0; looked < dictionary_slots; ++looked, ++at) {
    const std::uint32_t slot = d.slots[at % dictionary_slots].load(std::memory_order_acquire);
    if (slot == 0) return 0;
    if (is_step(d, slot, words, count))
      return (slot & (tentative_bit | refused_bit)) == 0 ? slot : 0;
  }
  return 0;
}

// Appends the words of a step; 0 if there is no room.
inline std::uint32_t append_step(Dictionary& d, const std::uint64_t* words, std::uint32_t count) {
  if (d.steps >= most_steps || d.used >= dictionary_words - 1 - count) return 0;
  const std::uint32_t name = 1 + d.used.fetch_add(count);
  if (name > dictionary_words - count) return 0;
  std::memcpy(d.words + name, words, count * 8);
  return name;
}

// A step with a value is added in two stages, as it is added only while there are few: another
// process must not see that there are too many and that the step is absent, and then find it
// present after all. The process that meets it in between decides. If the step was put there after
// some process had seen too many, the deciding process sees too many as well: `steps` never
// decreases.
inline std::uint32_t settle_step(Dictionary& d, std::atomic<std::uint32_t>& slot,
                                 std::uint32_t seen) {
  const bool too_many = d.steps >= most_with_values;
  const std::uint32_t decided = (seen & ~tentative_bit) | (too_many ? refused_bit : 0);
  if (!slot.compare_exchange_strong(seen, decided)) return seen;
  if (!too_many) ++d.steps;
  return decided;
}

enum : std::uint32_t { no_room = 0, without_value = ~0U };  // neither is a name

// The name of the step that is made of these words; a name is assigned if it has none. If `valued`,
// `without_value` says that there are too many steps to name it; the same step has then never been
// given a name, in any process, and never will be.
inline std::uint32_t name_step(Dictionary& d, const std::uint64_t* words, std::uint32_t count,
                               bool valued) {
  std::uint32_t added = 0;
  std::uint64_t at = step_hash(words, count);
  for (std::uint32_t looked = 0; looked < dictionary_slots; ++looked, ++at) {
    std::atomic<std::uint32_t>& slot = d.slots[at % dictionary_slots];
    std::uint32_t seen = slot.load(std::memory_order_acquire);
    if (seen == 0 && valued && d.steps >= most_with_values) {
      seen = slot.load();  // again, after the count was read
      if (seen == 0) return without_value;
    }
    if (seen == 0) {
      if (added == 0) added = append_step(d, words, count);
      if (added == 0) return no_room;
      const std::uint32_t mine = valued ? added | tentative_bit : added;
      if (slot.compare_exchange_strong(seen, mine)) {
        if (!valued) ++d.steps;
        seen = mine;
      }
    }
    if (!is_step(d, seen, words, count)) continue;
    if ((seen & tentative_bit) != 0) seen = settle_step(d, slot, seen);
    return (seen & refused_bit) == 0 ? seen : without_value;
  }
  return no_room;
}

// Assigns a step its name in a dictionary that no other process has yet.
inline void put_step(Dictionary& d, std::uint32_t name, const std::uint64_t* words,
                     std::uint32_t count) {
  std::uint64_t at = step_hash(words, count);
  while (d.slots[at % dictionary_slots] != 0) ++at;
  d.slots[at % dictionary_slots] = name;
  ++d.steps;
}

// The number of a thread, assigned if it has none; 0 if there is none left.
inline std::uint32_t name_thread(ThreadNames& threads, unsigned creator, unsigned nth) {
  const std::uint16_t key = child_key(creator, nth);
  for (std::uint32_t number = 1; number < max_threads; ++number) {
    std::uint16_t seen = threads.creator[number].load(std::memory_order_acquire);
    if (seen == 0 && threads.creator[number].compare_exchange_strong(seen, key)) return number;
    if (seen == key) return number;
  }
  return 0;
}

// The index in CallNotes::called of the first of `count` functions of a module; not_noted if there
// is no room. `identity` is not 0, and is the same for the same module in all processes.
inline std::uint32_t name_module(CallNotes& calls, std::uint64_t identity, std::uint32_t count) {
  const std::uint64_t key = identity << first_bits;
  std::uint32_t added = not_noted;
  for (std::atomic<std::uint64_t>& entry : calls.module) {
    std::uint64_t seen = entry.load(std::memory_order_acquire);
    if (seen == 0) {
      for (std::uint32_t used = calls.used; added == not_noted;) {
        if (used > max_called || count > max_called - used) return not_noted;
        if (calls.used.compare_exchange_strong(used, used + count)) added = used;
      }
      if (entry.compare_exchange_strong(seen, key | added)) return added;
    }
    const auto first = static_cast<std::uint32_t>(seen & ((1U << first_bits) - 1));
    if ((seen ^ key) >> first_bits == 0) return count <= max_called - first ? first : not_noted;
  }
  return not_noted;
}

}  // namespace heddle::abi
