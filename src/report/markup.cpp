#include "report/markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/utf8.hpp"

namespace heddle::report {
namespace {

bool is_unseen(char32_t c) {
  constexpr std::pair<char32_t, char32_t> unseen[] = {
      {0x00, 0x08},     {0x0b, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},      {0x34f, 0x34f},
      {0x61c, 0x61c},   {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180b, 0x180f},  {0x200b, 0x200f},
      {0x2028, 0x202e}, {0x2060, 0x206f}, {0x3164, 0x3164}, {0xfdd0, 0xfdef},  {0xfe00, 0xfe0f},
      {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0xe0000, 0xe0fff}};
  if ((c & 0xfffeU) == 0xfffe) return true;  // not a character, in any plane
  return std::ranges::any_of(unseen, [c](const auto& r) { return r.first <= c && c <= r.second; });
}

std::string_view entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return "";
  }
}

}  // namespace

std::string visible(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const Character c = character_at(text, at);
    if (!c.valid)
      out += fmt::format("‹0x{:02X}›", static_cast<unsigned>(c.code));
    else if (is_unseen(c.code))
      out += fmt::format("‹U+{:04X}›", static_cast<unsigned>(c.code));
    else
      out += text.substr(at, c.length);
    at += c.length;
  }
  return out;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : visible(text)) {
    const std::string_view instead = entity(c);
    if (instead.empty())
      out += c;
    else
      out += instead;
  }
  return out;
}

std::string island(const Json& json) {
  std::string out;
  for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    // Within JSON, these are found in strings only.
    if (c == '<' || c == '>' || c == '&')
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out;
}

}  // namespace heddle::report
