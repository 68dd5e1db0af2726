// What steps do, as workers have named them. Each is copied out of the memory that they share when
// it is first asked for, and checked; so it stays what it is, whatever becomes of that memory.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/access.hpp"
#include "runtime/wire.h"

namespace heddle::native {

class StepTable {
 public:
  // What a step of an event does, and to what.
  struct Step {
    const abi::WireStep& head;
    std::span<const abi::WireAccess> accesses;
  };

  // Whether this is the name of a step. If it is not known, what the dictionary has is looked at.
  bool has(std::uint32_t name, const abi::Dictionary& dictionary) {
    if (name < begins_.size()) return begins_[name] != 0;
    take_over(dictionary);
    return name < begins_.size() && begins_[name] != 0;
  }
  // It has this, or it is 0: a step that did not come to its end.
  Step operator[](std::uint32_t name) const {
    static constexpr abi::WireStep unfinished{0, 0, 1, 0, 0};
    if (name == 0) return {unfinished, {}};
    const auto& head = *reinterpret_cast<const abi::WireStep*>(words_.data() + name);
    return {head, {reinterpret_cast<const abi::WireAccess*>(&head + 1), head.access_count}};
  }

  // The step that does the same, but uses its first object in this way; 0 if none is known.
  std::uint32_t with_use(std::uint32_t name, const Access& use) const;

  // Into an empty dictionary, for a worker to go on with.
  void copy_to(abi::Dictionary& dictionary) const;

 private:
  std::uint64_t hash_without_use(std::uint32_t name) const;
  void take_over(const abi::Dictionary& dictionary);

  // As in the dictionary, where the first word names no step.
  std::vector<std::uint64_t> words_ = {0};
  std::vector<std::uint8_t> begins_ = {0};  // by word: a step does there
  // Those whose modes vary, by all but how they use their first object.
  std::unordered_multimap<std::uint64_t, std::uint32_t> varying_;
};

}  // namespace heddle::native
