#include "base/option.hpp"

#include <algorithm>
#include <ranges>

namespace heddle {
namespace {

// "a, b or c"
std::string alternatives(const std::vector<std::string_view>& words) {
  if (words.size() == 1) return std::string(words[0]);
  return fmt::format("{} or {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

}  // namespace

bool OptionInfo::belongs_to(std::string_view command) const {
  if (commands.empty()) return true;
  for (const auto word : std::views::split(commands, ' '))
    if (std::ranges::equal(word, command)) return true;
  return false;
}

Misuse OptionInfo::refuse(std::string_view given, std::string_view expected) const {
  return Misuse(
      fmt::format("invalid value '{}' for '{}' (expected {})", given, long_name(), expected));
}

void OptionInfo::check_choice(std::string_view given) const {
  if (choices && std::ranges::count(choices(), given) == 0)
    throw refuse(given, alternatives(choices()));
}

std::string Range::text() const {
  if (most != std::numeric_limits<std::uint64_t>::max())
    return fmt::format("a number from {} to {}", least, most);
  return least == 0 ? "a number" : fmt::format("a number of at least {}", least);
}

Parts parts_of(const OptionInfo& option, std::string_view given) {
  if (!option.is_list) return {std::string(given)};
  Parts out;
  for (const auto part : std::views::split(given, ',')) out.emplace_back(part.begin(), part.end());
  if (out.empty()) out.emplace_back();
  return out;
}

}  // namespace heddle
