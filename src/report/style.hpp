// How text is to look: as wide as the terminal, in colour where that works, in the characters that
// it can show.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace heddle::report {

struct Style {
  std::size_t width = 80;
  bool colour = false;
  bool unicode = true;
};

// What suits this stream: $COLUMNS or the terminal's width, 80 where it is none; colour on a
// terminal, unless NO_COLOR is set; Unicode if the locale has it.
Style style_for(std::FILE* stream);

// How many columns of a terminal the text takes.
std::size_t width_of(std::string_view text);
// Its beginning, with an ellipsis in place of what does not fit.
std::string cut(const std::string& text, std::size_t width);
// Filled up with spaces.
std::string padded(const std::string& text, std::size_t width);

// Text of others, such as a line of source, with nothing in it that moves the cursor.
std::string harmless(std::string_view text);
// Without arrows, boxes and ellipses.
std::string as_ascii(const std::string& text);

enum class Colour { bold, dim, red, thread };
// `thread` chooses one of the colours of threads.
std::string coloured(const std::string& text, Colour colour, const Style& style,
                     unsigned thread = 0);

}  // namespace heddle::report
