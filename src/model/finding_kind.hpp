// The kinds of findings: what can be wrong with a run of the program under test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace heddle {

// The numbers travel between worker and engine, the names are in reports and files.
enum class FindingKind : std::uint32_t {
  none,
  assertion,
  abort,
  terminate,
  signal,
  exit,
  deadlock,
  data_race,
  use_after_free,
  double_free,
  invalid_free,
  out_of_bounds,
  stack_overflow,
  lock_misuse,
  message_misuse,
  livelock,
  endless,
  died,
  nondeterminism,
};
inline constexpr const char* finding_names[] = {
    "none",         "assertion",     "abort",          "terminate",      "signal",
    "exit",         "deadlock",      "data-race",      "use-after-free", "double-free",
    "invalid-free", "out-of-bounds", "stack-overflow", "lock-misuse",    "message-misuse",
    "livelock",     "endless",       "died",           "nondeterminism"};
static_assert(std::size(finding_names) == static_cast<std::size_t>(FindingKind::nondeterminism) + 1,
              "each kind has a name");
inline const char* name_of(FindingKind kind) {
  return finding_names[static_cast<std::size_t>(kind)];
}

}  // namespace heddle
