// What reports name, explained: kinds of findings, warnings, and the limits of a verdict. The only
// place of these texts, for people and for tools that show them beside a finding.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace heddle::report {

struct Kind {
  enum class Sort : std::uint8_t { finding, warning, limit };
  Sort sort;
  std::string_view name;     // of a finding, as in abi::finding_names
  std::string_view summary;  // one sentence, without a full stop
  std::string_view meaning;
  std::string_view causes;   // what usually causes it; for a limit, what it leaves open
  std::string_view example;  // source or a command, in lines
  std::string_view fix;      // what to do
};

std::string_view name_of(Kind::Sort sort);

// All findings in the order of abi::finding_names, then warnings, then limits.
std::span<const Kind> kinds();
// Null if there is none of this name.
const Kind* find_kind(std::string_view name);

}  // namespace heddle::report
