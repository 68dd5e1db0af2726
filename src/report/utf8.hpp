// Characters of text whose encoding is UTF-8, or ought to be.
#pragma once

#include <cstddef>
#include <string_view>

namespace heddle::report {

struct Character {
  char32_t code = 0;
  std::size_t length = 1;  // in bytes
  bool valid = true;       // otherwise, it is a byte that is not UTF-8, and `code` is that byte
};

// The character that begins there. REQUIRES: at < text.size()
Character character_at(std::string_view text, std::size_t at);

}  // namespace heddle::report
