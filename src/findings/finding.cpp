#include "findings/finding.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heddle::findings {

std::string Finding::replay_text() const {
  std::string text = to_text(schedule);
  if (!visible.empty()) text += fmt::format("{}{:x}", visible_mark, fmt::join(visible, " "));
  return text;
}

}  // namespace heddle::findings
