// Sets of numbers, each different one once, and by a number itself. For merging (merging.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/chunked.hpp"
#include "base/hash.hpp"
#include "base/index_table.hpp"
#include "base/pool.hpp"

namespace heddle {

class NumberSets {
 public:
  using Number = std::uint32_t;

  // The set of these. REQUIRES: they are sorted, and not of this.
  Number intern(std::span<const Number> values) {
    const std::uint64_t hash = hash_of<Number>(values);
    const auto known = table_.find(
        hash, [&](Number k) { return std::ranges::equal(values_.of(sets_[k]), values); });
    if (known != IndexTable::none) return known;
    const auto number = static_cast<Number>(sets_.size());
    table_.add(hash, number);
    Pool::List<Number> set;
    values_.assign(set, values);
    sets_.push_back(set);
    return number;
  }

  // Sorted. Valid as long as this is.
  std::span<const Number> operator[](Number set) const { return values_.of(sets_[set]); }
  std::size_t size() const { return sets_.size(); }
  std::size_t memory() const { return sets_.memory() + values_.memory() + table_.memory(); }

 private:
  Chunked<Pool::List<Number>> sets_;
  Pool values_;
  IndexTable table_;
};

}  // namespace heddle
