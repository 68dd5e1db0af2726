#include "report/style.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "report/utf8.hpp"

namespace heddle::report {
namespace {

constexpr std::size_t default_width = 80, least_width = 40, most_width = 1000;

std::size_t width_for(int terminal) {
  std::size_t width = 0;
  if (const char* columns = std::getenv("COLUMNS"))
    std::from_chars(columns, columns + std::strlen(columns), width);
  winsize size{};
  if (width == 0 && ioctl(terminal, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  return width == 0 ? default_width : std::clamp(width, least_width, most_width);
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

// The first of these that is set decides, as in the C library.
bool locale_is_utf8() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (is_set(variable)) {
      const std::string value = std::getenv(variable);
      return value.find("UTF-8") != std::string::npos || value.find("utf8") != std::string::npos ||
             value.find("UTF8") != std::string::npos || value.find("utf-8") != std::string::npos;
    }
  return false;
}

// Combining marks take no column, the scripts of East Asia two.
std::size_t columns_of(char32_t c) {
  constexpr std::pair<char32_t, char32_t> none[] = {
      {0x300, 0x36f}, {0x200b, 0x200f}, {0xfe00, 0xfe0f}};
  constexpr std::pair<char32_t, char32_t> two[] = {
      {0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},
      {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd}};
  const auto within = [c](const auto& range) { return range.first <= c && c <= range.second; };
  if (std::ranges::any_of(none, within)) return 0;
  return std::ranges::any_of(two, within) ? 2 : 1;
}

}  // namespace

Style style_for(std::FILE* stream) {
  const int terminal = fileno(stream);
  const char* kind = std::getenv("TERM");
  const bool dumb = kind != nullptr && std::strcmp(kind, "dumb") == 0;
  return {width_for(terminal), isatty(terminal) == 1 && !is_set("NO_COLOR") && !dumb,
          locale_is_utf8()};
}

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Character c = character_at(text, at);
    width += columns_of(c.code);
    at += c.length;
  }
  return width;
}

std::string cut(const std::string& text, std::size_t width) {
  if (width_of(text) <= width) return text;
  std::size_t at = 0, used = 0;
  while (at < text.size()) {
    const Character c = character_at(text, at);
    const std::size_t columns = columns_of(c.code);
    if (used + columns + 1 > width) break;
    used += columns;
    at += c.length;
  }
  return width == 0 ? "" : text.substr(0, at) + "…";
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t own = width_of(text);
  return own >= width ? text : text + std::string(width - own, ' ');
}

std::string harmless(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto [c, length, valid] = character_at(text, at);
    const bool control = c < 0x20 || (c >= 0x7f && c < 0xa0) || !valid;
    const bool turns = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    if (c == '\t')
      out += ' ';
    else if (control || turns)
      out += '?';
    else
      out += text.substr(at, length);
    at += length;
  }
  return out;
}

std::string as_ascii(const std::string& text) {
  constexpr std::pair<std::string_view, std::string_view> signs[] = {
      {"→", "->"}, {"…", "~"}, {"✗", "x"}, {"▶", ">"}, {"│", "|"}, {"─", "-"}};
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_at(text, at).length;
    const std::string_view one = std::string_view(text).substr(at, length);
    const auto sign = std::ranges::find(signs, one, [](const auto& s) { return s.first; });
    if (sign != std::end(signs))
      out += sign->second;
    else
      out += length == 1 ? one : "?";
    at += length;
  }
  return out;
}

std::string coloured(const std::string& text, Colour colour, const Style& style, unsigned thread) {
  constexpr std::array threads = {36, 33, 35, 32, 34, 96, 93, 95};
  if (!style.colour || text.empty()) return text;
  switch (colour) {
    case Colour::bold:
      return fmt::format("\033[1m{}\033[0m", text);
    case Colour::dim:
      return fmt::format("\033[2m{}\033[0m", text);
    case Colour::red:
      return fmt::format("\033[1;31m{}\033[0m", text);
    default:
      return fmt::format("\033[{}m{}\033[0m", threads[thread % threads.size()], text);
  }
}

}  // namespace heddle::report
