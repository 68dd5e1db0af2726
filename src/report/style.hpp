// The style of printed text: the width of the terminal, colours, and the characters that it can
// show.
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

// The style for this stream: as wide as $COLUMNS or the terminal, or 80 columns if it is not a
// terminal; colour on a terminal, unless NO_COLOR is set; Unicode if the locale has it.
Style style_for(std::FILE* stream);

// How many columns of a terminal the text takes.
std::size_t width_of(std::string_view text);
// The beginning of the text, with an ellipsis in place of what does not fit.
std::string cut(const std::string& text, std::size_t width);
// The text padded with spaces.
std::string padded(const std::string& text, std::size_t width);

// Foreign text, such as a line of source, with nothing in it that moves the cursor.
std::string harmless(std::string_view text);
// Without arrows, boxes and ellipses.
std::string as_ascii(const std::string& text);

enum class Colour { bold, dim, red, thread };
// `thread` selects one of the colours for threads.
std::string coloured(const std::string& text, Colour colour, const Style& style,
                     unsigned thread = 0);

}  // namespace heddle::report
