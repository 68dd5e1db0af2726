// What was found out last of pairs of numbers. There can be more pairs than states: so one may take
// the place of another, which is then found out again. For merging (merging.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle {

template <typename Value>
class PairMemo {
 public:
  // Null if it is not known. Valid until something is added.
  Value* find(std::uint32_t one, std::uint32_t other) {
    Entry& entry = entries_[place(one, other)];
    return entry.one == one && entry.other == other ? &entry.value : nullptr;
  }
  Value& add(std::uint32_t one, std::uint32_t other, const Value& value) {
    if (++added_ > entries_.size() && entries_.size() < most) grow();
    Entry& entry = entries_[place(one, other)];
    entry = {one, other, value};
    return entry.value;
  }
  void clear() { *this = {}; }
  std::size_t memory() const { return entries_.size() * sizeof(Entry); }  // in bytes

 private:
  static constexpr std::size_t most = std::size_t{1} << 16;  // a megabyte: it is to stay in caches
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Entry {
    std::uint32_t one = 0;
    std::uint32_t other = none;
    Value value = {};
  };
  std::size_t place(std::uint32_t one, std::uint32_t other) const {
    const std::uint64_t h = (std::uint64_t{one} << 32 | other) * 0x9e3779b97f4a7c15ULL;
    return (h ^ h >> 32) & (entries_.size() - 1);
  }
  void grow() {
    std::vector<Entry> old(2 * entries_.size());
    old.swap(entries_);
    for (const Entry& entry : old)
      if (entry.other != none) entries_[place(entry.one, entry.other)] = entry;
  }

  std::vector<Entry> entries_ = std::vector<Entry>(64);  // a power of two of them
  std::size_t added_ = 0;
};

}  // namespace heddle
