// A table of what a run has touched, by address. Emptied by a new run in no time: entries say which
// run they belong to, and those of others count as absent.
#pragma once

#include <cstdint>
#include <cstring>

#include "runtime/heap.hpp"

namespace heddle::runtime {

// Entry has `std::uint64_t key` and `std::uint32_t run`; all else of a new entry is zero.
template <typename Entry>
class RunTable {
 public:
  void set_up(std::uint64_t capacity) {
    entries_ = static_cast<Entry*>(map_anywhere(capacity * sizeof(Entry)));
    mask_ = capacity - 1;
  }

  void clear() {
    used_ = 0;
    if (++run_ == 0) {  // after four billion runs
      std::memset(static_cast<void*>(entries_), 0, (mask_ + 1) * sizeof(Entry));
      run_ = 1;
    }
  }

  // The entry of this key, made if there is none. Valid until the next is made.
  Entry& at(std::uint64_t key) {
    for (std::uint64_t k = place(key);; k = (k + 1) & mask_) {
      Entry& e = entries_[k];
      if (e.run != run_) return make(e, key);
      if (e.key == key) return e;
    }
  }

  Entry* find(std::uint64_t key) {
    for (std::uint64_t k = place(key);; k = (k + 1) & mask_) {
      Entry& e = entries_[k];
      if (e.run != run_) return nullptr;
      if (e.key == key) return &e;
    }
  }

 private:
  // Neighbours stay neighbours, but only so many: longer stretches would run into each other.
  std::uint64_t place(std::uint64_t key) const {
    const std::uint64_t stretch = (key >> 6) * 0x9e3779b97f4a7c15ULL >> 20;
    return (stretch << 6 | (key & 63)) & mask_;
  }

  Entry& make(Entry& e, std::uint64_t key) {
    if (2 * ++used_ > mask_) [[unlikely]] {
      grow();
      --used_;
      return at(key);
    }
    e = Entry{};
    e.key = key;
    e.run = run_;
    return e;
  }

  void grow() {
    Entry* const old = entries_;
    const std::uint64_t old_capacity = mask_ + 1;
    set_up(2 * old_capacity);
    for (std::uint64_t k = 0; k < old_capacity; ++k) {
      if (old[k].run != run_) continue;
      std::uint64_t at = place(old[k].key);
      while (entries_[at].run == run_) at = (at + 1) & mask_;
      std::memcpy(static_cast<void*>(&entries_[at]), &old[k], sizeof(Entry));
    }
    unmap(old, old_capacity * sizeof(Entry));
  }

  Entry* entries_ = nullptr;
  std::uint64_t mask_ = 0, used_ = 0;
  std::uint32_t run_ = 0;
};

}  // namespace heddle::runtime
