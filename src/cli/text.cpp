#include "cli/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::cli {
namespace {

constexpr std::size_t width = 80;

}  // namespace

std::string wrapped(std::string_view text, std::size_t indent) {
  std::string out, line;
  const auto end_line = [&] {
    if (!line.empty()) out += std::string(indent, ' ') + line + "\n";
    line.clear();
  };
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (indent + line.size() + 1 + word.size() > width) end_line();
    line += (line.empty() ? "" : " ") + std::string(word);
  }
  end_line();
  return out;
}

std::string indented(std::string_view lines, std::size_t indent) {
  std::string out;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    out += std::string(indent, ' ') + std::string(line) + "\n";
  }
  return out;
}

std::string entry(std::string_view name, std::string_view text, std::size_t column) {
  const std::string lines = wrapped(text, column);
  if (name.size() + 4 > column) return fmt::format("  {}\n{}", name, lines);
  return fmt::format("  {:<{}}{}", name, column - 2, lines.substr(column));
}

}  // namespace heddle::cli
