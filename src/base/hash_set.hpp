// A set of hashes, of which there may be as many as runs: sorted, without the memory of a table.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

namespace heddle {

class HashSet {
 public:
  void insert(std::uint64_t hash) {
    if (!recent_.empty() && recent_.back() == hash) return;
    recent_.push_back(hash);
    // In proportion to the set, so that all insertions take time of about n log n.
    if (recent_.size() >= std::max(least_recent, sorted_.size() / 4)) settle();
  }
  void insert(std::span<const std::uint64_t> hashes) {
    for (const std::uint64_t hash : hashes) insert(hash);
  }

  // All of them, in order. Valid until the next insertion.
  std::span<const std::uint64_t> values() {
    settle();
    return sorted_;
  }
  std::size_t size() { return values().size(); }
  bool contains(std::uint64_t hash) { return std::ranges::binary_search(values(), hash); }

 private:
  static constexpr std::size_t least_recent = 4096;

  void settle() {
    if (recent_.empty()) return;
    std::ranges::sort(recent_);
    recent_.erase(std::ranges::unique(recent_).begin(), recent_.end());
    std::vector<std::uint64_t> all;
    all.reserve(sorted_.size() + recent_.size());
    std::ranges::set_union(sorted_, recent_, std::back_inserter(all));
    sorted_ = std::move(all);
    recent_.clear();
  }

  std::vector<std::uint64_t> sorted_, recent_;
};

}  // namespace heddle
