// The steps that workers have named. Each is copied out of shared memory and checked when its name
// first occurs; so it stays what it is, whatever is written to that memory later.
//
// Invariant: a name for which `has` was once true has the same step from then on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/check.hpp"
#include "model/access.hpp"
#include "runtime/abi/wire.h"

namespace heddle::native {

class StepTable {
 public:
  // What a step does, and to what. Its span is valid until the next call of `has` or `with_use`.
  struct Step {
    const abi::WireStep& head;
    std::span<const abi::WireAccess> accesses;
  };

  // Whether this is the name of a step that is known, or that the dictionary has; then it is known
  // from now on.
  bool has(std::uint32_t name, const abi::Dictionary& dictionary) {
    return (name < begins_.size() && begins_[name] != 0) || take_over(name, dictionary);
  }
  // REQUIRES: the name is known, or it is 0: a step that was not completed.
  Step operator[](std::uint32_t name) const {
    static constexpr abi::WireStep unfinished{0, 0, 1, 0, 0};
    if (name == 0) return {unfinished, {}};
    HEDDLE_CHECK(name < begins_.size() && begins_[name] != 0);
    const auto& head = *reinterpret_cast<const abi::WireStep*>(words_.data() + name);
    return {head, {reinterpret_cast<const abi::WireAccess*>(&head + 1), head.access_count}};
  }

  // The step that is like this one but uses its first object in this way; 0 if the dictionary has
  // none. REQUIRES: the name is known. The result is known from now on.
  std::uint32_t with_use(std::uint32_t name, const Access& use, const abi::Dictionary& dictionary);

  // Whether the dictionary still has all that is known.
  bool is_in(const abi::Dictionary& dictionary) const;
  // Puts all that is known into an empty dictionary, under the same names.
  void copy_to(abi::Dictionary& dictionary) const;

 private:
  bool take_over(std::uint32_t name, const abi::Dictionary& dictionary);
  std::span<const std::uint64_t> words_of(std::uint32_t name) const;
  template <typename Visit>
  void for_steps(Visit visit) const;

  // At the same positions as in the dictionary, whose first word does not belong to a step; zeros
  // where no step is known.
  std::vector<std::uint64_t> words_ = {0};
  std::vector<std::uint8_t> begins_ = {0};  // by word: a known step begins there
  std::vector<std::uint64_t> draft_;        // a step to be looked up
};

}  // namespace heddle::native
