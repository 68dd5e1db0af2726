// Finds things by hash that are kept elsewhere, by their index there: a table of numbers, without
// memory for each entry.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle {

class IndexTable {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  // The index that was added with this hash and of which `is_it(index)` holds, or none.
  template <typename IsIt>
  std::uint32_t find(std::uint64_t hash, IsIt is_it) const {
    if (slots_.empty()) return none;
    const auto tag = tag_of(hash);
    for (std::size_t k = tag & mask();; k = (k + 1) & mask()) {
      const Slot& slot = slots_[k];
      if (slot.index == none) return none;
      if (slot.tag == tag && is_it(slot.index)) return slot.index;
    }
  }

  void add(std::uint64_t hash, std::uint32_t index) {
    if (4 * (size_ + 1) > 3 * slots_.size()) grow();
    put({tag_of(hash), index});
    ++size_;
  }

  void clear() {
    slots_ = {};
    size_ = 0;
  }
  std::size_t size() const { return size_; }
  std::size_t memory() const { return slots_.capacity() * sizeof(Slot); }  // in bytes

 private:
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t index = none;
  };
  // Its lower bits say where to look: hashes need not be good in all of theirs.
  static std::uint32_t tag_of(std::uint64_t hash) {
    return static_cast<std::uint32_t>((hash * 0x9e3779b97f4a7c15ULL) >> 32);
  }
  std::size_t mask() const { return slots_.size() - 1; }

  void put(Slot slot) {
    std::size_t k = slot.tag & mask();
    while (slots_[k].index != none) k = (k + 1) & mask();
    slots_[k] = slot;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.index != none) put(slot);
  }

  std::vector<Slot> slots_;  // a power of two of them, at most three quarters of them used
  std::size_t size_ = 0;
};

}  // namespace heddle
