#include "report/utf8.hpp"

#include "base/check.hpp"

namespace heddle::report {
namespace {

// Of the character that begins with this byte; 0: none does.
std::size_t length_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  return first < 0xf5 ? 4 : 0;
}

// Neither longer than it has to be, nor half of a pair, nor beyond the last.
bool is_character(char32_t code, std::size_t length) {
  constexpr char32_t least[] = {0, 0x80, 0x800, 0x10000};
  return code >= least[length - 1] && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
}

}  // namespace

Character character_at(std::string_view text, std::size_t at) {
  HEDDLE_CHECK(at < text.size());
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[at + k]); };
  const Character broken{byte(0), 1, false};
  const std::size_t length = length_of(byte(0));
  if (length == 0 || at + length > text.size()) return broken;
  if (length == 1) return {byte(0), 1};
  char32_t code = byte(0) & (0xffU >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xc0U) != 0x80) return broken;
    code = code << 6 | (byte(k) & 0x3fU);
  }
  return is_character(code, length) ? Character{code, length} : broken;
}

}  // namespace heddle::report
