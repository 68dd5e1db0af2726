// What can come of a program: of each run that counts, what the program said came of it
// (heddle_outcome), and what was found.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>

#include "runtime/abi/wire.h"

namespace heddle::native {

struct RunOutcome {
  std::optional<std::uint64_t> value;  // none: the run did not come to say it
  abi::Finding finding = abi::Finding::none;

  friend auto operator<=>(const RunOutcome&, const RunOutcome&) = default;
};

// How many runs had it. Blocked runs are not among them.
using Outcomes = std::map<RunOutcome, std::uint64_t>;

}  // namespace heddle::native
