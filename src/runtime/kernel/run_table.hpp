// A table of what a run has touched, by address. A new run empties it in constant time: slots say
// which run they belong to, and those of other runs count as empty. The entries are in the order in
// which they were made, so that a table can be saved, and put back to how it was.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "runtime/kernel/savepoint.hpp"
#include "runtime/sys/check.hpp"
#include "runtime/sys/mapping.hpp"

namespace heddle::runtime {

// Entry has `std::uint64_t key`; everything else of a new entry is zero.
template <typename Entry>
class RunTable {
 public:
  // REQUIRES: the capacity is a power of two, and fits the numbers of entries in slots.
  void set_up(std::uint64_t capacity) {
    HEDDLE_RUNTIME_CHECK(std::has_single_bit(capacity) && capacity <= std::uint64_t{1} << 32);
    slots_ = static_cast<Slot*>(map_anywhere(capacity * sizeof(Slot)));
    entries_ = static_cast<Entry*>(map_anywhere(capacity / 2 * sizeof(Entry)));
    mask_ = capacity - 1;
  }

  void clear() {
    used_ = 0;
    if (++run_ == 0) {  // after four billion runs
      std::memset(static_cast<void*>(slots_), 0, (mask_ + 1) * sizeof(Slot));
      run_ = 1;
    }
  }

  // The entry of this key, made if there is none. Valid until the next is made.
  Entry& at(std::uint64_t key) {
    Slot& slot = slot_of(key);
    return slot.run == run_ ? entries_[slot.entry] : make(slot, key);
  }

  Entry* find(std::uint64_t key) {
    const Slot& slot = slot_of(key);
    return slot.run == run_ ? &entries_[slot.entry] : nullptr;
  }

  std::uint64_t size() const { return used_; }
  template <typename Visit>
  void for_all(Visit visit) {
    for (std::uint64_t k = 0; k < used_; ++k) visit(entries_[k]);
  }

  void save(Savepoint& into) {
    into.undo([](void* table, std::uint64_t n) { static_cast<RunTable*>(table)->shrink(n); }, this,
              used_);
    into.keep(entries_, used_ * sizeof(Entry));
  }

 private:
  struct Slot {
    std::uint64_t key;
    std::uint32_t run;
    std::uint32_t entry;
  };

  // Neighbours stay neighbours, but only 64 of them: longer stretches would run into each other.
  std::uint64_t place(std::uint64_t key) const {
    const std::uint64_t stretch = (key >> 6) * 0x9e3779b97f4a7c15ULL >> 20;
    return (stretch << 6 | (key & 63)) & mask_;
  }

  // The key's own slot, or the empty one where it would be.
  Slot& slot_of(std::uint64_t key) {
    for (std::uint64_t k = place(key);; k = (k + 1) & mask_) {
      Slot& slot = slots_[k];
      if (slot.run != run_ || slot.key == key) return slot;
    }
  }

  [[gnu::noinline]] Entry& make(Slot& slot, std::uint64_t key) {
    if (2 * used_ >= mask_) [[unlikely]] {
      grow();
      return at(key);
    }
    slot = {key, run_, static_cast<std::uint32_t>(used_)};
    Entry& e = entries_[used_++];
    e = Entry{};
    e.key = key;
    return e;
  }

  // The latest go first: so no slot is emptied that the search for a remaining one passes.
  void shrink(std::uint64_t count) {
    HEDDLE_RUNTIME_CHECK(count <= used_);
    while (used_ > count) slot_of(entries_[--used_].key).run = run_ - 1;
  }

  void grow() {
    drop_savepoints();  // they refer to entries that are no longer where they were
    Slot* const old_slots = slots_;
    Entry* const old_entries = entries_;
    const std::uint64_t old_capacity = mask_ + 1;
    set_up(2 * old_capacity);
    std::memcpy(static_cast<void*>(entries_), old_entries, used_ * sizeof(Entry));
    for (std::uint64_t k = 0; k < used_; ++k)
      slot_of(entries_[k].key) = {entries_[k].key, run_, static_cast<std::uint32_t>(k)};
    unmap(old_slots, old_capacity * sizeof(Slot));
    unmap(old_entries, old_capacity / 2 * sizeof(Entry));
  }

  Slot* slots_ = nullptr;
  Entry* entries_ = nullptr;
  std::uint64_t mask_ = 0, used_ = 0;
  std::uint32_t run_ = 0;
};

}  // namespace heddle::runtime
