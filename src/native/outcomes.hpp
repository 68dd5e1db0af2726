// The possible outcomes of a program: for each run that counts, the value that the program reported
// (heddle_outcome), and what was found.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>

#include "runtime/abi/wire.h"

namespace heddle::native {

struct RunOutcome {
  std::optional<std::uint64_t> value;  // none: the run did not report one
  abi::Finding finding = abi::Finding::none;

  friend auto operator<=>(const RunOutcome&, const RunOutcome&) = default;
};

// The number of runs with each outcome. Blocked runs are not counted.
using Outcomes = std::map<RunOutcome, std::uint64_t>;

}  // namespace heddle::native
