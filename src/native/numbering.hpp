// The numbers of threads: a thread is identified by its creator, and by its index among the
// creator's children.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

namespace heddle::native {

struct Numbering {
  struct Child {
    std::uint8_t creator, nth;
    friend auto operator<=>(const Child&, const Child&) = default;
  };
  // Entries for threads 1, 2, ... Main is 0 and has no entry. Invariant: no entry occurs twice, and
  // a creator has a smaller number than its children.
  std::vector<Child> threads;

  // Whether the invariant holds.
  bool is_sound() const;

  friend bool operator==(const Numbering&, const Numbering&) = default;
};

}  // namespace heddle::native
